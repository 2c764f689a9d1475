import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { STANDARD_CHECK_RULES } from '../../src/domain/checks/next-check.ts';
import { packageFile } from '../../src/package-root.ts';
import { usualKeyFile } from '../../src/store/sqlite/engine/audit-key.ts';
import { differencesWith } from '../support/carried-twice/carried-twice.ts';
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
  const recording = `--import=${packageFile(SUPPORT, 'hooks.ts')}`;
  const words = [packageFile(SUPPORT, 'busy-process.ts'), database, base];
  await promisify(execFile)(process.execPath, words, {
    env: { ...process.env, NODE_OPTIONS: `${env.NODE_OPTIONS} ${recording}` },
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

test('the linter refuses each of them in a write', () => {
  const refused = [
    ...['Math.random()', '[1].map(Math.random)', 'randomBytes(16)', 'randomUUID()'],
    ...['Date.now()', 'new Date()', 'performance.now()', 'systemClock.nowMs()'],
    ...['process.pid', 'process.env.TZ', 'thisMachine()', 'thisProcess()', 'hostname()'],
    ...["'a'.localeCompare('b')", '(1).toLocaleString()', 'new Intl.Collator()'],
  ];
  const allowed = ['new Date(5).toISOString()', "spread('check', 1)"];
  expect(refusedIn('src/store/sqlite/write', [...allowed, ...refused])).toEqual(refused);
  expect(refusedIn('src/store/sqlite/upkeep', refused)).toEqual([]);
});

/** Those of the expressions for which the linter names the law of writes, in a file of this folder. */
function refusedIn(folder: string, expressions: readonly string[]): string[] {
  const root = temporaryFolder();
  for (const file of ['biome.json', 'test/support/what-writes-read.grit']) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    copyFileSync(packageFile(file), join(root, file));
  }
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(
    join(root, folder, 'planted.ts'),
    expressions.map((code, n) => `export const a${n} = ${code};\n`).join(''),
  );
  const words = [packageFile('node_modules/@biomejs/biome/bin/biome'), 'lint', '--vcs-enabled=false', 'src'];
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  const lines = new Set(
    [...`${stdout}${stderr}`.matchAll(/planted\.ts:(\d+):\d+ plugin/g)].map(([, line]) => Number(line)),
  );
  return expressions.filter((_, index) => lines.has(index + 1));
}
