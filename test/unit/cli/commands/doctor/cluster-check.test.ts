import { expect, test } from 'vitest';
import { checkCluster } from '../../../../../cli/commands/doctor/cluster-check.ts';
import type { ClusterNode, ClusterPort, ClusterStatus } from '../../../../../src/store/cluster-port.ts';

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

const NODE: ClusterNode = {
  ...{ name: 'two', version: 'tallyhook 1, schema 29', schema: 29, roles: ['work'], carriedOut: 5 },
  ...{ behind: { entries: 2, ms: 3_000 }, digest: { seq: 4, value: '0123456789abcdef' }, hasDiverged: false },
  ...{ keys: ['k1:ffff'], stopped: null, clockOffsetMs: -4, seenAtMs: 1, hasSignedOff: false, lives: true },
  catchesUp: false,
};

test('of two nodes that differ none has the rows of most: it says how to choose one', async () => {
  const nodes = ['one', 'two'].map((name) => ({ ...NODE, name, hasDiverged: true }));
  const found = async (all: readonly ClusterNode[]) =>
    (
      await checkCluster(
        { cluster: { status: async () => ({ ...STATUS, nodes: all }) } as unknown as ClusterPort },
        true,
      )
    ).slice(1);
  for (const one of await found(nodes))
    expect(`${one.detail} ${one.hint}`).toMatch(/no rows are those of most nodes.*--keep/);
  const [, , third] = await found([{ ...NODE, name: 'one' }, { ...NODE, name: 'three' }, ...nodes.slice(1)]);
  expect(third).toMatchObject({ detail: 'has other rows than most nodes' });
});

test('of a node that is well it says how far it is, what it does, its keys, its clock and its digest', async () => {
  const cluster = { status: async () => ({ ...STATUS, nodes: [NODE] }) } as unknown as ClusterPort;
  const [, found] = await checkCluster({ cluster }, true);
  expect(found?.detail).toBe(
    'tallyhook 1, schema 29; 2 entries (3 s) behind; work; keys k1; clock -4 ms ahead; digest 01234567 at entry 4',
  );
});
