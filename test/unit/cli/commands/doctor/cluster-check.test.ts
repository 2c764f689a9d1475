import { expect, test } from 'vitest';
import { checkCluster } from '../../../../../cli/commands/doctor/cluster-check.ts';
import type { ClusterPort, ClusterStatus } from '../../../../../src/store/cluster-port.ts';

const STATUS = {
  head: { seq: 7, timeline: 1, hasLeft: false, isCopy: false },
  epoch: 1,
  nodes: [],
  server: { name: 'db:5432', unsafe: [], isOwner: false, isEncrypted: true },
} as unknown as ClusterStatus;

test.each([
  { isOwner: false, hasUpkeep: true, status: 'ok', says: 'entry 7 at db:5432' },
  { isOwner: false, hasUpkeep: false, status: 'warning', says: 'nothing deletes old entries' },
  { isOwner: true, hasUpkeep: false, status: 'warning', says: 'may change and delete entries' },
])('a log whose entries are deleted by the wrong role, or by none, is told of: %j', async (about) => {
  const server = { ...STATUS.server, isOwner: about.isOwner };
  const cluster = { status: async () => ({ ...STATUS, server }) } as unknown as ClusterPort;
  const [found] = await checkCluster({ cluster }, about.hasUpkeep);
  expect(found).toMatchObject({ status: about.status, detail: expect.stringContaining(about.says) });
});
