import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { STANDARD_CHECK_RULES } from '../../src/domain/checks/next-check.ts';
import { packageFile } from '../../src/package-root.ts';
import { usualKeyFile } from '../../src/store/sqlite/engine/audit-key.ts';
import { differencesWith } from '../support/carried-twice/carried-twice.ts';
import { RECORDING_WRITES } from '../support/carried-twice/written.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type Patch, patchedProgram } from '../support/patched-program.ts';

const SUPPORT = 'test/support/carried-twice';

/** Each mistake with the table where it shows. */
const BREACHES: Readonly<Record<string, Patch>> = {
  refunds: {
    file: 'src/store/sqlite/write/checks.ts',
    text: "spread('check', counter)",
    by: 'Math.random()',
  },
  jobs: {
    file: 'src/store/sqlite/write/jobs.ts',
    text: 'const leasedUntilMs = nowMs + leaseMs;',
    by: 'const leasedUntilMs = Date.now() + leaseMs;',
  },
  accounts: {
    file: 'src/store/sqlite/write/accounts.ts',
    text: 'lease.run({ accountId, statement, leasedUntilMs, machine, pid });',
    by: 'lease.run({ accountId, statement, leasedUntilMs, machine, pid: process.pid });',
  },
  outbox: {
    file: 'src/store/sqlite/write/outbox-rows.ts',
    text: 'WHERE present = 1 ORDER BY name',
    by: 'WHERE present = 1',
  },
};

/** The tables that differ after a program with these mistakes has carried out the same writes twice. */
async function tablesThatDiffer(patches: readonly Patch[]): Promise<string[]> {
  const folder = temporaryFolder();
  const [database, base] = [join(folder, 'tallyhook.db'), join(folder, 'empty.db')];
  const { env } = patchedProgram(...patches);
  const words = [packageFile(SUPPORT, 'busy-process.ts'), database, base];
  await promisify(execFile)(process.execPath, words, {
    env: { ...process.env, NODE_OPTIONS: `${env.NODE_OPTIONS} ${RECORDING_WRITES}` },
  });
  const settings = {
    zone: 'UTC',
    debounceMs: 0,
    checkRules: STANDARD_CHECK_RULES,
    encryption: null,
    auditKey: usualKeyFile(database),
  };
  const differences = await differencesWith(env, { database, base, settings });
  return [...new Set(differences.map((text) => text.split(':')[0] ?? ''))].toSorted();
}

test('what is written once is written again by another process on another machine, row by row', async () => {
  expect(await tablesThatDiffer([])).toEqual([]);
});

test('chance, a clock, a process and an order left out are each found in their rows', async () => {
  expect(await tablesThatDiffer(Object.values(BREACHES))).toEqual(expect.arrayContaining(Object.keys(BREACHES)));
});
