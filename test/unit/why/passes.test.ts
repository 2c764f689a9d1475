import { describe, expect, test } from 'vitest';
import type { Leg, Pass } from '../../../src/domain/reconciling/rules.ts';
import type { Tried } from '../../../src/reconcile/pass/tried.ts';
import type { Obstacle } from '../../../src/store/scratch/passes.ts';
import type { TriedLine, TriedRow } from '../../../src/store/scratch/tried-rows.ts';
import { passesOfLines, passesOfRows } from '../../../src/why/passes.ts';

const LEG: Leg = {
  name: 'records-wallet',
  ours: { records: ['refund', 'payout'] },
  theirs: { statement: 'wallet', types: ['refund', 'payout'] },
  compare: { fee: { minor: 0n }, tax: { minor: 0n }, duty: { minor: 0n } },
  due: { default: { business_day: 1 }, statuses: {} },
  passes: ['reference', 'session_id', 'transaction_reference_and_amount', 'amount_and_date'],
  invoiced: null,
};

const side = (currency: string) => ({
  ...{ leg: LEG, number: 0, environment: 'live' as const, currency, kinds: ['refund', 'payout'] as const },
  ...{
    accounts: ['wallet'],
    accountOn: () => 'wallet',
    ourAccounts: [],
    days: ['2026-10-12'],
    shownFrom: new Map<string, string>(),
    shownTo: '2026-10-12',
  },
});

const row = (over: Partial<TriedRow> = {}): TriedRow => ({
  ...{ id: 1, kind: 'refund', environment: 'live', currency: 'NGN', reference: 'R-1', status: 'success', recordId: 7 },
  ...{ amount: 100_00n, requested: null, fees: 2_00n, duty: null, reserved: null, channel: null },
  ...{ startDay: '2026-10-12', day: '2026-10-12', isDayLearnt: false, sessionId: 'S-1', transactionReference: 'T-1' },
  direction: 1n,
  ...over,
});

const line = (over: Partial<TriedLine> = {}): TriedLine => ({
  ...{ id: 5, account: 'wallet', environment: 'live', leg: 0, kind: 'refund', type: 'refund', typeText: 'Refund' },
  ...{ currency: 'NGN', date: '2026-10-12', amount: -102_00n, principal: 100_00n, fee: 2_00n, tax: null, duty: null },
  ...{
    reference: null,
    sessionId: null,
    transactionReference: null,
    group: null,
    postsOn: null,
    statement: 3,
    row: 12,
  },
  ...{ fingerprint: 'f', occurrence: 0, pass: null, takenFor: null },
  ...over,
});

const tried = (over: Partial<Tried> = {}): Tried => ({
  ...{ reference: 'R-1', sides: [side('NGN'), side('USD')], rows: [row()], lines: [], named: new Map() },
  ...{ suggested: [], suggestions: [], byAmount: new Map(), copies: new Map(), isWhole: true },
  ...over,
});

/** What a pass says of line 5 and row 1, unless told. */
const named = (
  pass: Pass,
  obstacle: Obstacle | null,
  ...pairs: readonly (readonly [line: number, ours: number])[]
) => ({
  named: new Map([
    [pass, (pairs.length === 0 ? [[5, 1] as const] : pairs).map(([line, ours]) => ({ line, ours, obstacle }))],
  ]),
});

const NEAR = { amounts: [-102_00n, 100_00n, -100_00n], from: '2026-10-12', to: '2026-10-13' };
const near = (date: string, matchedWith: string | null = null) => ({
  ...{ date, amount: -102_00n, statement: 3, row: 12, matchedWith },
});
const byAmount = (...lines: readonly ReturnType<typeof near>[]) => new Map([['1 0', { ...NEAR, lines }]]);
const TRANSACTION = 'transaction_reference_and_amount';

describe('a row of ours', () => {
  test.each<[pass: string, outcome: string, text: string, Partial<Tried>]>([
    [
      'reference',
      'taken',
      'found row 12 of statement 3',
      { lines: [line({ reference: 'R-1', pass: 'reference', takenFor: 1 })] },
    ],
    [
      ...(['session_id', 'earlier_pass', 'not needed: reference found row 12 of statement 3'] as const),
      { lines: [line({ reference: 'R-1', sessionId: 'S-1', pass: 'reference', takenFor: 1 })] },
    ],
    ['person', 'taken', 'a person confirmed row 12 of statement 3', { lines: [line({ pass: 'person', takenFor: 1 })] }],
    ['reference', 'no_line', 'no line of this leg has its reference', {}],
    ['session_id', 'no_key', 'the refund has no session id', { rows: [row({ sessionId: null })] }],
    [
      ...(['session_id', 'copy', 'another payout, R-9, has the same session id and takes its line'] as const),
      { rows: [row({ kind: 'payout', sessionId: null })], copies: new Map([[1, 'R-9']]) },
    ],
    [
      'reference',
      'no_statement',
      'no statement of this leg covers 2026-10-20',
      { rows: [row({ day: '2026-10-20', startDay: '2026-10-20' })] },
    ],
    [
      ...(['reference', 'other_kind', 'row 12 of statement 3 has it, and is of type payout'] as const),
      { lines: [line({ reference: 'R-1', kind: 'payout', type: 'payout' })], ...named('reference', 'other_kind') },
    ],
    [
      ...([
        'reference',
        'other_kind',
        'row 12 of statement 3 has it, and is of type "Odd", which is in no leg',
      ] as const),
      {
        lines: [line({ reference: 'R-1', leg: null, kind: null, type: null, typeText: 'Odd' })],
        ...named('reference', 'other_kind'),
      },
    ],
    [
      ...([TRANSACTION, 'other_currency', 'row 12 of statement 3 has it, in USD'] as const),
      { lines: [line({ transactionReference: 'T-1', currency: 'USD' })], ...named(TRANSACTION, 'other_currency') },
    ],
    [
      ...([TRANSACTION, 'amount_differs', 'row 12 of statement 3 has it, with another amount'] as const),
      {
        lines: [line({ transactionReference: 'T-1', amount: -90_00n, principal: 90_00n })],
        ...named(TRANSACTION, 'amount_differs'),
      },
    ],
    [
      ...([TRANSACTION, 'several_rows', 'row 12 of statement 3 has that of R-1, R-2'] as const),
      {
        rows: [row(), row({ id: 2, reference: 'R-2' })],
        lines: [line({ transactionReference: 'T-1' })],
        ...named(TRANSACTION, null, [5, 1], [5, 2]),
      },
    ],
    [
      ...([
        TRANSACTION,
        'several_lines',
        'row 12 of statement 3, row 13 of statement 3 have it, and nothing tells which',
      ] as const),
      {
        lines: [line({ transactionReference: 'T-1' }), line({ id: 6, row: 13, transactionReference: 'T-1' })],
        ...named(TRANSACTION, null, [5, 1], [6, 1]),
      },
    ],
    [
      ...(['session_id', 'taken_by_other', 'reference found row 12 of statement 3 for refund R-2'] as const),
      {
        rows: [row(), row({ id: 2, reference: 'R-2' })],
        lines: [line({ sessionId: 'S-1', pass: 'reference', takenFor: 2 })],
        ...named('session_id', null, [5, 1], [5, 2]),
      },
    ],
    [
      ...(['reference', 'apart', 'a person took it and row 12 of statement 3 apart'] as const),
      { lines: [line({ reference: 'R-1' })], ...named('reference', 'apart') },
    ],
    [
      'amount_and_date',
      'no_line',
      'no line of this leg moves 102.00 or 100.00 from 2026-10-12 to 2026-10-13',
      { byAmount: byAmount() },
    ],
    [
      ...([
        'amount_and_date',
        'outside_window',
        'row 12 of statement 3 has its amount, on 2026-10-15: its time is from 2026-10-12 to 2026-10-13',
      ] as const),
      { byAmount: byAmount(near('2026-10-15')) },
    ],
    [
      ...([
        'amount_and_date',
        'taken_by_other',
        'row 12 of statement 3 has its amount in time, and belongs to R-9',
      ] as const),
      { byAmount: byAmount(near('2026-10-13', 'R-9')) },
    ],
    [
      'amount_and_date',
      'not_suggested',
      expect.stringContaining('no run suggests it'),
      { byAmount: byAmount(near('2026-10-13')) },
    ],
    [
      'amount_and_date',
      'several_lines',
      expect.stringContaining('nothing tells which'),
      { byAmount: byAmount(near('2026-10-12'), near('2026-10-13')) },
    ],
  ])('%s: %s', (pass, outcome, text, over) => {
    const [leg] = passesOfRows(tried(over));
    expect(leg?.passes.find((one) => one.pass === pass)).toMatchObject({ outcome, text });
  });

  test('a leg without sides in its environment, kind and currency is not listed', () => {
    expect(passesOfRows(tried({ rows: [row({ environment: 'test' })] }))).toEqual([]);
    expect(passesOfRows(tried({ rows: [row({ kind: 'collection' })] }))).toEqual([]);
    expect(passesOfRows(tried({ rows: [row({ currency: 'GHS' })] }))).toEqual([]);
  });
});

describe('a line', () => {
  const NAMED = { reference: 'R-1', rows: [] };
  test.each<[pass: string, outcome: string, text: string, Partial<Tried>]>([
    ['reference', 'no_record', 'nothing of ours has its reference', { ...NAMED, lines: [line({ reference: 'R-1' })] }],
    ['session_id', 'no_key', 'the line has no session id', { ...NAMED, lines: [line({ reference: 'R-1' })] }],
    [
      ...(['reference', 'other_kind', 'payout R-1 has it, and the line stands for a refund'] as const),
      { rows: [row({ kind: 'payout' })], lines: [line({ reference: 'R-1' })], ...named('reference', 'other_kind') },
    ],
    [
      ...(['session_id', 'taken', 'found refund R-2'] as const),
      {
        rows: [row({ id: 2, reference: 'R-2' })],
        lines: [line({ reference: 'R-1', pass: 'session_id', takenFor: 2 })],
      },
    ],
    [
      ...([TRANSACTION, 'amount_differs', 'refund R-2 has it, with another amount'] as const),
      {
        rows: [row({ id: 2, reference: 'R-2', amount: 1n })],
        lines: [line({ reference: 'R-1', transactionReference: 'T-1' })],
        ...named(TRANSACTION, 'amount_differs', [5, 2]),
      },
    ],
    [
      ...([TRANSACTION, 'several_rows', 'refund R-2, refund R-3 have it, and nothing tells which'] as const),
      {
        rows: [row({ id: 2, reference: 'R-2' }), row({ id: 3, reference: 'R-3' })],
        lines: [line({ reference: 'R-1', transactionReference: 'T-1' })],
        ...named(TRANSACTION, null, [5, 2], [5, 3]),
      },
    ],
    [
      ...(['amount_and_date', 'suggested', 'suggests refund R-8: a person decides'] as const),
      {
        ...NAMED,
        lines: [line({ reference: 'R-1' })],
        suggested: [{ line: 5, leg: 'records-wallet', kind: 'refund', reference: 'R-8', pass: 'amount_and_date' }],
      },
    ],
    [
      'amount_and_date',
      'not_suggested',
      'no run suggests anything for it',
      { ...NAMED, lines: [line({ reference: 'R-1' })] },
    ],
  ])('%s: %s', (pass, outcome, text, over) => {
    const [leg] = passesOfLines(tried(over));
    expect(leg).toMatchObject({ kind: null, line: { statement: 3, row: 12 } });
    expect(leg?.passes.find((one) => one.pass === pass)).toMatchObject({ outcome, text });
  });

  test('a line that belongs to a row with the reference is told of there', () => {
    expect(passesOfLines(tried({ lines: [line({ reference: 'R-1', pass: 'reference', takenFor: 1 })] }))).toEqual([]);
  });
});
