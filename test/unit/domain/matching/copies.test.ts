import { describe, expect, test } from 'vitest';
import { duplicateOf, withoutCopies } from '../../../../src/domain/matching/copies.ts';
import { foreignVerdicts, standingForeign } from '../../../../src/domain/matching/foreign.ts';
import { returnedLines, withReturns } from '../../../../src/domain/matching/returned.ts';
import { partsOf, withoutRivals } from '../../../../src/domain/matching/rival-lines.ts';
import type { OurRow, TheirLine } from '../../../../src/domain/matching/rows.ts';
import { octoberTerms, ourRow, said, theirLine } from '../../../support/matching/groups.ts';

const line = (amount: string, row: number, parts: Partial<TheirLine> = {}): TheirLine => ({
  ...theirLine('collection', amount, { row }),
  ...parts,
});
const byPerson = { pass: 'person' } as const;
const WALLET = { isLedger: false, direction: -1n } as const;
const rowsOf = (sorted: ReturnType<typeof withoutRivals>) =>
  sorted === null ? null : [sorted.kept.map(({ row }) => row), sorted.copies.map(({ row }) => row)];

describe('lines that agree in type, currency and amount', () => {
  const copied = (...lines: TheirLine[]) => rowsOf(withoutCopies(lines, { held: false, paid: false }));

  test('are copies of the first by date', () => {
    expect(copied(line('1.00', 2, { date: '2026-10-11' }), line('1.00', 3), line('1.00', 4))).toEqual([[3], [4, 2]]);
  });

  test('are no copies where one of the three differs', () => {
    expect(copied(line('1.00', 2), line('1.01', 3))).toEqual([[2, 3], []]);
    expect(copied(line('1.00', 2), line('1.00', 3, { currency: 'KES' }))).toEqual([[2, 3], []]);
    expect(copied(line('1.00', 2), line('1.00', 3, { type: 'refund' }))).toEqual([[2, 3], []]);
  });

  test('all stand that a person said belong to the row, and the others are copies of them', () => {
    expect(copied(line('1.00', 2), line('1.00', 3, byPerson), line('1.00', 4, byPerson))).toEqual([[3, 4], [2]]);
    expect(copied(line('1.00', 2), line('2.00', 3, byPerson))).toEqual([[2, 3], []]);
  });

  test('that came after the close of their days are copies of the one that the close had', () => {
    const [early, late] = [{ date: '2026-09-02' }, { date: '2026-09-01', postsOn: '2026-10-01' }];
    expect(copied(line('1.00', 2, early), line('1.00', 3, late), line('1.00', 4, late))).toEqual([[2], [3, 4]]);
    expect(copied(line('1.00', 3, late), line('1.00', 4, late))).toEqual([[3], [4]]);
    expect(copied(line('1.00', 2, early), line('1.00', 3, { ...late, ...byPerson }))).toEqual([[3], [2]]);
  });
});

describe('50,000 lines of one reference, as of a file that says the same for all of them, are sorted line by line', () => {
  const sale = ourRow('collection', 'success', { amount: '1.00' });
  const many = (type: TheirLine['type'], minorOf: (index: number) => number) =>
    Array.from({ length: 50_000 }, (_, index) => ({
      ...line('1.00', index + 2, { type }),
      amount: BigInt(minorOf(index)),
    }));

  test('of different amounts', () => {
    const { kept, copies } = withoutCopies(
      many('collection', (index) => index + 1),
      { held: true, paid: true },
    );
    expect([kept.length, copies.length]).toEqual([50_000, 0]);
  });

  test('of reversals that others take back', () => {
    const halves = many('collection_reversal', (index) => (index < 25_000 ? -index - 1 : index - 24_999));
    const sorted = withoutRivals(sale, { kept: halves, copies: [] }, WALLET);
    expect([sorted?.kept.length, sorted?.copies.length]).toEqual([50_000, 0]);
  });

  test('of payments that came back', () => {
    const paid = many('collection', (index) => index + 1).slice(0, 25_000);
    const back = many('collection_reversal', (index) => -index - 1).slice(0, 24_999);
    expect(returnedLines(sale, [...paid, ...back]).size).toBe(49_998);
  });
});

describe('of several lines that a row has only once', () => {
  const sale = ourRow('collection', 'success', { amount: '100.00' });
  const chosen = (row: OurRow, ...kept: TheirLine[]) => rowsOf(withoutRivals(row, { kept, copies: [] }, WALLET));

  test('one that agreed when its days were closed stays, also beside one that agrees better; one that did not is replaced', () => {
    const charged = ourRow('collection', 'success', { amount: '100.00', fees: '2.00' });
    const late = { ...theirLine('collection', '98.00', { fee: '2.00', row: 3 }), postsOn: '2026-10-01' };
    const bare = (amount: string) => theirLine('collection', amount, { row: 2 });
    expect(chosen(charged, bare('98.00'), { ...late, postsOn: null })).toEqual([[3], [2]]);
    expect(chosen(charged, bare('98.00'), late)).toEqual([[2], [3]]);
    expect(chosen(charged, bare('97.00'), late)).toEqual([[3], [2]]);
  });

  test('one alone stands, whatever its amount', () => {
    expect(chosen(sale, line('1.00', 2))).toEqual([[2], []]);
    expect(chosen(sale)).toEqual([[], []]);
  });

  test.each([
    ['a ledger has what was asked for', true, [[2], [3]]],
    ['all else has what was charged', false, [[3], [2]]],
  ])('of two that agree, %s', (_, isLedger, expected) => {
    const row = ourRow('collection', 'success', { amount: '101.00', requested: '100.00' });
    const lines = [line('100.00', 2), line('101.00', 3)];
    for (const kept of [lines, lines.toReversed()]) {
      expect(rowsOf(withoutRivals(row, { kept, copies: [] }, { ...WALLET, isLedger }))).toEqual(expected);
    }
  });

  test.each<[string, OurRow, TheirLine]>([
    ['the amount', sale, line('98.00', 3, { principal: 10_000n })],
    [
      'what was asked for',
      ourRow('collection', 'success', { requested: '100.00' }),
      line('98.00', 3, { principal: 10_000n }),
    ],
    ['the amount alone, without charges', sale, line('100.00', 3, { principal: 1n })],
    ['the amount less fees', ourRow('collection', 'success', { amount: '100.00', fees: '2.00' }), line('98.00', 3)],
    ['the amount less duty', ourRow('collection', 'success', { amount: '100.00', duty: '2.00' }), line('98.00', 3)],
    [
      'the amount with fees and duty',
      ourRow('collection', 'success', { amount: '100.00', fees: '2.00', duty: '5.00' }),
      line('-107.00', 3),
    ],
  ])('the one stands that agrees with %s', (_, row, agreeing) => {
    expect(chosen(row, line('55.00', 2), agreeing, line('56.00', 4))).toEqual([[3], [2, 4]]);
  });

  test('none is chosen where none agrees', () => {
    expect(chosen(sale, line('99.00', 2), line('101.00', 3))).toBeNull();
    expect(chosen(ourRow('collection', 'success', {}), line('1.00', 2), line('2.00', 3))).toBeNull();
  });

  test('the first stands of two that agree', () => {
    expect(chosen(sale, line('98.00', 2, { principal: 10_000n }), line('100.00', 3))).toEqual([[2], [3]]);
  });

  describe('of which several have the amount', () => {
    const charged = ourRow('collection', 'success', { amount: '100.00', fees: '2.15' });
    const right = (row: number) => theirLine('collection', '97.85', { row, fee: '2.00', tax: '0.15' });
    const wrong = (row: number) => theirLine('collection', '94.85', { row, fee: '5.00', tax: '0.15' });

    test.each<[string, OurRow, TheirLine, TheirLine]>([
      ['fee and tax of the line', charged, right(3), wrong(2)],
      ['the first of two right ones', charged, right(2), theirLine('collection', '97.85', { row: 3, fee: '2.15' })],
      [
        'the duty',
        ourRow('payout', 'success', { amount: '100.00', fees: '2.00', duty: '50.00' }),
        theirLine('payout', '-152.00', { row: 3, fee: '2.00', duty: '50.00' }),
        theirLine('payout', '-102.00', { row: 2, fee: '2.00', duty: '0.00' }),
      ],
      [
        'all of it, where one charge lies in the amount',
        ourRow('payout', 'success', { amount: '100.00', fees: '2.00', duty: '50.00' }),
        theirLine('payout', '-152.00', { row: 3, fee: '2.00' }),
        theirLine('payout', '-102.00', { row: 2, fee: '2.00' }),
      ],
      ['a charge that we do not say', ourRow('collection', 'success', { amount: '100.00' }), wrong(2), right(3)],
      ['no charge, where the other has a wrong one', charged, line('97.85', 3), wrong(2)],
    ])('the one stands that agrees with %s too', (_, row, agreeing, other) => {
      expect(chosen(row, ...[agreeing, other].toSorted((one, two) => one.row - two.row))).toEqual([
        [agreeing.row],
        [other.row],
      ]);
    });

    test('a charge in a row of its own counts with each of them', () => {
      const own = theirLine('fee', '-2.15', { row: 4 });
      expect(chosen(charged, right(2), line('100.00', 3), own)).toEqual([[3, 4], [2]]);
    });

    test('the first stands where all charges differ', () => {
      expect(chosen(charged, wrong(2), theirLine('collection', '90.00', { row: 3, fee: '10.00' }))).toEqual([[2], [3]]);
    });
  });

  test('what a person said goes before what agrees', () => {
    expect(chosen(sale, line('100.00', 2), line('55.00', 3, byPerson))).toEqual([[3], [2]]);
    expect(chosen(sale, line('1.00', 2), line('55.00', 3, byPerson), line('56.00', 4, byPerson))).toEqual([
      [3, 4],
      [2],
    ]);
  });

  test('lines of other types stay, and copies that were known before come first', () => {
    const fee = theirLine('fee', '-1.00', { row: 5 });
    const copy = line('100.00', 9);
    const sorted = withoutRivals(sale, { kept: [line('55.00', 2), fee, line('100.00', 3)], copies: [copy] }, WALLET);
    expect(rowsOf(sorted)).toEqual([
      [5, 3],
      [9, 2],
    ]);
  });

  describe('that are reversals', () => {
    const payout = ourRow('payout', 'reversed', { amount: '100.00' });
    const debit = theirLine('payout', '-101.00', { row: 2, fee: '1.00' });
    const back = (amount: string, row: number) => theirLine('payout_reversal', amount, { row });

    test('the one stands that gives back what the lines took, or the amount', () => {
      expect(chosen(payout, debit, back('7.00', 3), back('101.00', 4))).toEqual([[2, 4], [3]]);
      expect(chosen(payout, debit, back('7.00', 3), back('100.00', 4))).toEqual([[2, 4], [3]]);
    });

    test('the one that gives back all goes before the one that gives back the amount', () => {
      expect(chosen(payout, debit, back('100.00', 3), back('101.00', 4))).toEqual([[2, 4], [3]]);
    });

    test('none is chosen where none agrees', () => {
      expect(chosen(payout, debit, back('7.00', 3), back('8.00', 4))).toBeNull();
    });
  });

  test('a fee may come in several lines', () => {
    expect(chosen(sale, theirLine('fee', '-1.00', { row: 2 }), theirLine('fee', '-2.00', { row: 3 }))).toEqual([
      [2, 3],
      [],
    ]);
  });
});

test('a duplicate shows the amount of the line without its sign, and what it moves as effect', () => {
  const copy = line('-98.00', 2);
  expect(said(duplicateOf(copy))).toBe('duplicate_external - 98.00 -98.00');
  expect(duplicateOf(copy)).toMatchObject({ side: 'theirs', field: 'amount', line: copy });
});

describe('parts of what a row has once', () => {
  const batch = ourRow('batch', 'success', { amount: '1000.00' });
  const paid = (amount: string, row: number, parts: Partial<TheirLine> = {}): TheirLine => ({
    ...theirLine('settlement', amount, { row }),
    ...parts,
  });
  const partsIn = (row: OurRow, ...lines: TheirLine[]) => [...partsOf(row, lines)].map((line) => line.row);

  test.each<[string, TheirLine[], number[]]>([
    ['two equal lines that add up to it', [paid('500.00', 2), paid('500.00', 3)], [2, 3]],
    ['two others that do', [paid('600.00', 2), paid('400.00', 3)], [2, 3]],
    ['those that take the money away', [paid('-600.00', 2), paid('-400.00', 3)], [2, 3]],
    ['the first ones, where more lines follow', [paid('600.00', 2), paid('400.00', 3), paid('400.00', 4)], [2, 3]],
    ['each of those that are equal once', [paid('600.00', 2), paid('600.00', 3), paid('400.00', 4)], [2, 4]],
    ['none, where one line alone is all of it', [paid('1000.00', 2), paid('600.00', 3), paid('400.00', 4)], []],
    ['none, where they do not add up', [paid('600.00', 2), paid('399.99', 3)], []],
    ['none of two equal lines that do not', [paid('600.00', 2), paid('600.00', 3)], []],
    ['none, where a person said another one', [paid('600.00', 2), paid('400.00', 3), paid('1.00', 4, byPerson)], []],
  ])('%s', (_, lines, expected) => {
    expect(partsIn(batch, ...lines)).toEqual(expected);
    expect(partsIn(batch, ...lines.toReversed())).toEqual(expected);
  });

  test('of a payment, by its amount before charges or by what moved', () => {
    const charged = ourRow('collection', 'success', { amount: '100.00', fees: '2.00' });
    expect(partsIn(charged, line('60.00', 2), line('40.00', 3))).toEqual([2, 3]);
    expect(partsIn(charged, line('58.80', 2), line('39.20', 3))).toEqual([2, 3]);
    expect(partsIn(charged, line('58.80', 2, { principal: 6_000n }), line('39.00', 3, { principal: 4_000n }))).toEqual([
      2, 3,
    ]);
  });
});

test('lines that add up to a record in the other direction are no parts of it', () => {
  const sale = ourRow('collection', 'success', { amount: '10.00' });
  const lines = (amount: string) => [2, 3].map((row) => theirLine('collection', amount, { row }));
  expect([partsOf(sale, lines('-5.00')).size, partsOf(sale, lines('5.00')).size]).toEqual([0, 2]);
});

describe('lines that name a record in another currency', () => {
  const day = (amount: string, row: number, date: string) => line(amount, row, { date: `2026-10-${date}` });
  const standing = (...lines: TheirLine[]) => standingForeign(lines, '2026-10-31').map(({ row }) => row);

  test('stand, but for those that a later one takes back, each the first that is left', () => {
    const back = [day('5.00', 2, '10'), day('5.00', 3, '11'), day('7.00', 4, '11')];
    expect(standing(day('-5.00', 5, '12'), ...back)).toEqual([3, 4]);
    expect(standing(...back, day('-5.00', 5, '12'), day('-5.00', 6, '13'))).toEqual([4]);
    expect(standing(day('-5.00', 1, '09'), ...back)).toEqual([3, 4]);
  });

  test('count up to the last day alone', () => {
    const [kept, later] = [day('5.00', 2, '31'), line('-5.00', 3, { date: '2026-11-01' })];
    expect(standing(later, kept)).toEqual([2]);
  });

  test('are a mismatch and its copies; beside a line in the own currency copies alone', () => {
    const row = ourRow('collection', 'success', { amount: '5.00' });
    const lines = [line('5.00', 2, { currency: 'USD' }), line('5.00', 3, { currency: 'USD' })];
    const codes = (hasOwn: boolean) => foreignVerdicts(row, lines, hasOwn).map(({ code, effect }) => [code, effect]);
    expect(codes(false)).toEqual([
      ['currency_mismatch', 500n],
      ['duplicate_external', 500n],
    ]);
    expect(codes(true)).toEqual(Array(2).fill(['duplicate_external', 500n]));
    expect(foreignVerdicts(row, lines, false)[0]).toMatchObject({ field: 'currency', ours: 'NGN', theirs: 'USD' });
  });
});

test.each<[string, OurRow, TheirLine[], string[]]>([
  [
    'one more release than was reserved',
    ourRow('refund', 'rejected', { amount: '11.00' }),
    [
      theirLine('reserve', '-11.00', { date: '2026-10-10' }),
      theirLine('refund', '-11.00', { date: '2026-10-11' }),
      theirLine('release', '11.00', { date: '2026-10-11' }),
      theirLine('release', '11.00', { date: '2026-10-12' }),
    ],
    ['reserve', 'refund', 'release', 'refund_reversal'],
  ],
  [
    'a release after that of a hold from before the first day that is shown',
    ourRow('refund', 'rejected', { amount: '11.00', startDay: '2026-09-30' }),
    [
      theirLine('refund', '-11.00', { date: '2026-10-11' }),
      theirLine('release', '11.00', { date: '2026-10-12' }),
      theirLine('release', '11.00', { date: '2026-10-13' }),
    ],
    ['refund', 'release', 'refund_reversal'],
  ],
  [
    'a release without a hold',
    ourRow('refund', 'rejected', { amount: '11.00' }),
    [theirLine('refund', '-11.00', { date: '2026-10-11' }), theirLine('release', '11.00', { date: '2026-10-12' })],
    ['refund', 'refund_reversal'],
  ],
  [
    'a refund of the other sign on its day, wherever it stands',
    ourRow('refund', 'success', { amount: '11.00' }),
    [theirLine('refund', '11.00'), theirLine('refund', '-11.00')],
    ['refund_reversal', 'refund'],
  ],
  [
    'none of a day before the payment',
    ourRow('refund', 'success', { amount: '11.00' }),
    [theirLine('refund', '11.00', { date: '2026-10-09' }), theirLine('refund', '-11.00')],
    ['refund', 'refund'],
  ],
])('a refund comes back by %s', (_what, row, lines, types) => {
  const terms = octoberTerms({ shownFrom: () => '2026-10-01' });
  expect(withReturns(row, lines, terms).map(({ type }) => type)).toEqual(types);
});
