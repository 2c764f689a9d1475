import { describe, expect, test } from 'vitest';
import { Closings } from '../../../../src/reconcile/load/closed.ts';
import { Openings } from '../../../../src/reconcile/load/openings.ts';
import type { Begin } from '../../../../src/reconcile/load/order.ts';
import type { StatementSummary } from '../../../../src/store/statements.ts';

const OCTOBER = {
  ...{ environment: 'live' as const, accounts: null, from: '2026-10-01', to: '2026-10-31' },
  ...{ run: 1, closedAtMs: 1, decidedUntilMs: 1 },
} as const;
const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' };
const CLOSED = [{ ...OCTOBER, balances: [{ account: 'wallet', currency: 'NGN', ours: 0n, theirs: 0n }] }];
const BEGIN = { date: '2026-09-15', balances: {} };
const name = (account: string) => ({ environment: 'live' as const, account, currency: 'NGN' });

function statement(account: string, kind: StatementSummary['account']['kind'], opening: bigint | null) {
  const balances = [{ currency: 'NGN', opening, closing: 0n, sum: 0n }];
  return { account: { environment: 'live', name: account, kind }, balances } as unknown as StatementSummary;
}
const STATEMENTS = [
  statement('wallet', 'wallet', null),
  statement('bank', 'bank', null),
  statement('settled', 'settlement', null),
  statement('stating', 'settlement', null),
  statement('stating', 'settlement', 0n),
  statement('books', 'ledger', null),
];

function openings({ begin = null, closed = [] }: { begin?: Begin | null; closed?: typeof CLOSED }) {
  return new Openings({ statements: STATEMENTS, begin, closings: new Closings(closed, NOVEMBER, 2) });
}

describe('what is open from before is listed', () => {
  test.each([
    ['an own opening balance', 'wallet', { closed: CLOSED }, ''],
    [
      'an own opening balance of the configuration',
      'bank',
      { begin: { ...BEGIN, balances: { bank: { NGN: 0n } } } },
      '',
    ],
    ['no balance, since the first closed period', 'settled', { closed: CLOSED }, '2026-10-01'],
    ['no balance, since the books begin', 'books', { begin: BEGIN, closed: CLOSED }, '2026-09-15'],
    ['nothing closed and no beginning', 'settled', {}, null],
    ['the balance of a file', 'stating', { closed: CLOSED }, null],
    ['the balance of a bank', 'bank', { begin: BEGIN }, null],
  ] as const)('with %s', (_, account, over, since) => {
    expect(openings(over).since(name(account))).toBe(since);
  });

  test('from that day on', () => {
    const of = openings({ closed: CLOSED });
    const days = ['2026-09-30', '2026-10-01'];
    expect(days.map((day) => of.carries(name('settled'), day))).toEqual([false, true]);
    expect(days.map((day) => of.carries(name('wallet'), day))).toEqual([true, true]);
  });
});
