import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { STANDARD_REASONS } from '../../src/domain/exceptions/reasons.ts';
import type { ReasonRules } from '../../src/domain/exceptions/words.ts';
import type { ExceptionAct } from '../../src/store/exceptions.ts';
import { openStore } from '../../src/store/open.ts';
import { command } from '../support/command.ts';
import { commandEnv } from '../support/command-env.ts';
import { hledgerBalances, hledgerCheck } from '../support/journal/hledger.ts';
import { fill } from '../support/month/fill.ts';
import { importAll } from '../support/month/import.ts';
import { moneyText } from '../support/month/money.ts';
import { makeMonth } from '../support/month/month.ts';
import { toldOf } from '../support/month/tell.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/*
 * The month with its faults, closed in two halves: what is open at the end of the first is brought back in the second, and what
 * was decided stands. Every wallet and bank ends at what its files close with.
 */

const month = makeMonth({ seed: 20_261_017, clean: 120, each: 1, fileFaults: false });

const HALVES = [
  { period: '2026-10-01..2026-10-15', from: '2026-10-01', to: '2026-10-15' },
  { period: '2026-10-16..2026-10-31', from: '2026-10-16', to: '2026-10-31' },
];
let [folder, database]: [string, string] = ['', ''];
const run = (...words: string[]) => command(words, { cwd: folder, env: commandEnv(database) });

beforeAll(async () => {
  ({ folder, database } = await fill(month.book.records.map(toldOf)));
  await importAll(folder, database, month.files);
});

/** Decides about everything that is open, by turns: borne, claimed, our own mistake, carried. What is of closed days may be claimed alone. */
async function decide(from: string): Promise<void> {
  const store = openStore(database, { auditKey: join(folder, 'audit.key') });
  const [archive, operations] = [await store.archive(), await store.operations()];
  const acts: ExceptionAct[] = [];
  for (let after: Parameters<typeof archive.exceptions>[1]['after'] = null; ; ) {
    const page = await archive.exceptions({ unresolved: true, environment: 'test' }, { after, limit: 500 });
    for (const [at, { id, date }] of page.rows.entries()) {
      const words = date < from ? CLAIM : (WORDS[at % WORDS.length] ?? CLAIM);
      acts.push({ ...words, act: 'resolve', id, by: 'Ada' });
    }
    if (page.next === null) break;
    after = page.next;
  }
  const refused = (await operations.exceptions.act({ acts, reasons: WITHOUT_LIMITS })).filter(
    ({ outcome }) => outcome === 'refused',
  );
  await operations.close();
  await archive.close();
  expect(refused).toEqual([]);
  expect(acts.length).toBeGreaterThan(10);
}

/** Nothing waits for a second person. */
const WITHOUT_LIMITS: ReasonRules = Object.fromEntries(
  Object.entries(STANDARD_REASONS).map(([code, rule]) => [code, { ...rule, approveAbove: {} }]),
);
const SAYS = { comment: 'seen', attachments: [], lines: [] };
const CLAIM = {
  ...SAYS,
  resolution: 'claim',
  reasonCode: 'service_error',
  reference: 'CLM-7',
  followUp: '2026-12-01',
} as const;
const WORDS = [
  { ...SAYS, resolution: 'accept', reasonCode: 'rounding', reference: null, followUp: null },
  CLAIM,
  { ...SAYS, resolution: 'ours', reasonCode: 'booking_error', reference: 'COR-1', followUp: null },
  { ...SAYS, resolution: 'carry', reasonCode: 'next_period', reference: null, followUp: null },
] as const;

test.each(HALVES)(
  '$period is closed, and hledger takes its journal',
  { tags: ['hledger'] },
  async ({ period, from, to }) => {
    const reconciled = await run('reconcile', '--environment', 'test', '--from', from, '--to', to);
    expect([reconciled.stderr, [0, 3].includes(reconciled.code ?? -1)]).toEqual(['', true]);
    await decide(from);
    const closed = await run('period', 'close', period, '--set', 'test', '--as', 'Ada');
    expect([closed.code, closed.stderr]).toEqual([0, '']);
    const { stdout } = await run('report', 'journal', period, '--set', 'test', '--format', 'hledger');
    expect(hledgerCheck(stdout)).toBeNull();
    expect(hledgerBalances(stdout).filter((line) => line.startsWith('clearing:'))).toEqual([]);
  },
);

test('after the second half every wallet and bank holds what its files close with', { tags: ['hledger'] }, async () => {
  const [, second] = HALVES;
  const { stdout } = await run('report', 'journal', second?.period ?? '', '--set', 'test', '--format', 'hledger');
  const held = new Set(hledgerBalances(stdout));
  const closings = month.proofs
    .filter(({ account }) => account.environment === 'test' && account.kind !== 'settlement')
    .map(({ account, rows }) => [account, rows.get('closing')?.theirs ?? 0n] as const)
    .filter(([, theirs]) => theirs !== 0n)
    .map(([{ kind, name, currency }, theirs]) => `assets:${kind}:${name} ${currency} ${moneyText(theirs)}`);
  expect(closings.length).toBeGreaterThan(2);
  expect(closings.filter((line) => !held.has(line))).toEqual([]);
});
