import { describe, expect, test } from 'vitest';
import { judgeGroup, soughtAmounts } from '../../../../src/domain/matching/judge.ts';
import { sumUntil } from '../../../../src/domain/matching/postings.ts';
import type { OurRow, TheirLine } from '../../../../src/domain/matching/rows.ts';
import type { Terms } from '../../../../src/domain/matching/terms.ts';
import { amountOfMinor } from '../../../../src/domain/money/amount.ts';
import type { LineType } from '../../../../src/domain/statements/lines.ts';
import { octoberTerms, ourRow } from '../../../support/matching/groups.ts';

// A payout of 1,500.00 with a fee of 10.00 and tax of 0.75 on it, in a wallet that shows each in a line of its own.

const DAY = '2026-03-02';
const none = { minor: 0n };
const terms: Terms = {
  until: '2026-03-04',
  shownFrom: () => '',
  judgedDay: '2026-03-04',
  dueDay: () => '2026-03-03',
  dueAfter: (day) => day,
  isInvoiced: false,
  compare: { fee: none, tax: none, duty: none },
  isLedger: false,
  showsHolds: true,
  direction: -1n,
  taxOn: () => null,
  taxWithin: () => 0n,
};

function payout(status: string): OurRow {
  const about = { id: 1, kind: 'payout', environment: 'test', currency: 'NGN', reference: 'wages-1' } as const;
  const money = { amount: 150_000n, requested: null, fees: 1_075n, duty: null, reserved: null };
  const days = { startDay: DAY, day: DAY, isDayLearnt: false };
  return { ...about, ...money, ...days, status, recordId: 1, channel: null, transactionReference: null, direction: 1n };
}

function line(row: number, type: LineType, amount: bigint, date = DAY): TheirLine {
  const about = { id: row, row, account: 'wallet', currency: 'NGN', reference: 'wages-1', statement: 1, occurrence: 0 };
  const charges = { fee: null, tax: null, duty: null, transactionReference: null, postsOn: null };
  const principal = amount < 0n ? -amount : amount;
  return { ...about, ...charges, type, date, amount, principal, fingerprint: `f${row}`, pass: 'reference' };
}

const DEBIT = [line(1, 'payout', -150_000n), line(2, 'fee', -1_000n), line(3, 'tax', -75n)];
const WHOLE = line(4, 'payout_reversal', 151_075n, '2026-03-03');

test.each(['failed', 'reversed'])('a %s payout whose whole debit comes back in one line is no break', (status) => {
  const { verdicts, ours, theirs } = judgeGroup(payout(status), [...DEBIT, WHOLE], terms);
  expect(verdicts).toEqual([]);
  expect(ours).toEqual(theirs);
  expect(ours.map(({ row, minor }) => [row, minor])).toEqual([
    ['payouts', -150_000n],
    ['fees', -1_000n],
    ['tax', -75n],
    ['reversals', 151_075n],
  ]);
});

test('a reversal that leaves the fee behind is a break of the reversal, with what it leaves as effect', () => {
  const { verdicts } = judgeGroup(payout('reversed'), [...DEBIT, line(4, 'payout_reversal', 150_000n)], terms);
  expect(verdicts.map(({ code, field, effect }) => [code, field, effect])).toEqual([
    ['amount_mismatch', 'reversal', -1_075n],
  ]);
});

test.each(['150000', '151075'])(
  'a payout in the ledger as its amount or as its whole debit is no break: %s',
  (booked) => {
    const { verdicts, ours, theirs } = judgeGroup(payout('completed'), [line(1, 'payout', -BigInt(booked))], {
      ...terms,
      isLedger: true,
    });
    expect(verdicts).toEqual([]);
    expect(ours).toEqual(expect.arrayContaining([{ row: 'payouts', day: DAY, minor: -150_000n }]));
    expect(theirs.reduce((sum, { minor }) => sum + minor, 0n)).toBe(-BigInt(booked));
  },
);

test('a collection in the ledger net of its charges is no break, and one of another amount is', () => {
  const sale = { ...payout('success'), kind: 'collection' as const, requested: 149_000n };
  const codes = (amount: bigint) =>
    judgeGroup(sale, [line(1, 'collection', amount)], { ...terms, isLedger: true }).verdicts.map(({ code }) => code);
  expect([149_000n, 150_000n, 148_925n, 148_926n].map(codes)).toEqual([[], [], [], ['amount_mismatch']]);
});

describe('a row and its lines belong together', () => {
  const isMatched = (status: string, lines: readonly TheirLine[]) => judgeGroup(payout(status), lines, terms).isMatched;

  test('where a line shows the row, also with other values', () => {
    expect([isMatched('completed', DEBIT), isMatched('completed', [line(1, 'payout', -1n)])]).toEqual([true, true]);
  });

  test('but not without a line, nor with a line of its charges alone', () => {
    expect([isMatched('completed', []), isMatched('completed', [line(2, 'fee', -1_075n)])]).toEqual([false, false]);
    expect(isMatched('pending', [])).toBe(false);
  });
});

test('of lines that fit equally well one break is said, of the amount, with all of them as candidates', () => {
  const lines = [line(1, 'payout', -1n), line(2, 'payout', -2n)];
  const { verdicts, ours, theirs } = judgeGroup(payout('completed'), lines, terms);
  expect(verdicts).toEqual([
    expect.objectContaining({ code: 'ambiguous', field: 'amount', side: 'ours', theirs: null, line: lines[0] }),
  ]);
  expect(verdicts[0]).toMatchObject({ ours: amountOfMinor(150_000n), candidates: lines, effect: 151_072n });
  expect([sumUntil(ours, terms.until), sumUntil(theirs, terms.until)]).toEqual([-151_075n, -3n]);
  const unknown = judgeGroup({ ...payout('completed'), amount: null }, lines, terms);
  expect(unknown.verdicts).toMatchObject([{ code: 'ambiguous', ours: null }]);
});

test('lines of a row that begins later are a matter of time, with all that they move', () => {
  const later = { ...payout('reversed'), day: '2026-03-09', startDay: '2026-03-09' };
  const effects = (...lines: TheirLine[]) =>
    judgeGroup(later, lines, terms).verdicts.map(({ code, effect }) => [code, effect]);
  expect(effects(...DEBIT)).toEqual([['timing', -151_075n]]);
  expect(effects(...DEBIT, line(4, 'payout_reversal', 151_000n))).toEqual([['timing', -75n]]);
  expect(effects(...DEBIT, line(5, 'reserve', -100n))).toEqual([['timing', -151_175n]]);
  expect(effects(...DEBIT, WHOLE)).toEqual([]);
});

describe('the day of a row', () => {
  const learnt = { ...payout('completed'), isDayLearnt: true };
  const days = (row: OurRow, date: string) =>
    judgeGroup(row, [line(1, 'payout', -151_075n, date)], terms).ours.map(({ day }) => day);

  test('that is only learnt is that of its line up to the last day, else its own', () => {
    expect(new Set(days(learnt, '2026-03-04'))).toEqual(new Set(['2026-03-04']));
    expect(new Set(days(learnt, '2026-03-05'))).toEqual(new Set([DAY]));
    expect(new Set(days({ ...learnt, isDayLearnt: false }, '2026-03-04'))).toEqual(new Set([DAY]));
  });

  test.each(['failed', 'reversed'])(
    'that is only learnt decides by its line when the reversal of a %s payout is due',
    (status) => {
      const row = { ...payout(status), day: '2026-05-23', isDayLearnt: true };
      const codeOf = (debit: string) => {
        const dueDay = ({ day }: OurRow) => (day === '2026-03-02' ? '2026-03-03' : '2026-03-05');
        const { verdicts } = judgeGroup(row, [line(1, 'payout', -151_075n, debit)], { ...terms, dueDay });
        return verdicts.map(({ code, sub, effect }) => [code, sub, effect]);
      };
      expect(codeOf('2026-03-02')).toEqual([['status_mismatch', 'internal_vs_statement', -151_075n]]);
      expect(codeOf('2026-03-03')).toEqual([['timing', null, -151_075n]]);
    },
  );
});

test('what began before the first day of the account of its lines needs no line of its beginning', () => {
  const row = payout('reversed');
  const back = { ...WHOLE, account: 'second' };
  const shownFrom = (account: string | undefined) => (account === 'second' ? '2026-03-03' : '2026-03-01');
  const judged = judgeGroup(row, [back], { ...terms, shownFrom });
  expect(judged.verdicts).toEqual([]);
  expect(sumUntil(judged.ours, terms.until)).toBe(151_075n);
  const first = judgeGroup(row, [WHOLE], { ...terms, shownFrom });
  expect(first.verdicts.map(({ code }) => code)).toEqual(['amount_mismatch']);
});

/* Of a row without a line: the amounts of a bare line that leaves no effect beside it. */
test.each<[string, OurRow, Partial<Terms>, readonly bigint[]]>([
  ['its amount less fees', sold('success'), {}, [9_800n]],
  ['in a ledger its bare amount, too', sold('success'), { isLedger: true }, [9_800n, 10_000n]],
  ['where fees are charged together, too', sold('success'), { isInvoiced: true }, [9_800n, 10_000n]],
  ['nothing where its money did not move', sold('failed'), {}, []],
  ['nothing while it is under way', sold('pending'), {}, []],
  [
    'a payout and its charges',
    ourRow('payout', 'success', { amount: '70.00', fees: '5.00', duty: '1.00' }),
    {},
    [-7_600n],
  ],
  ['nothing without an amount', ourRow('collection', 'success', { fees: '2.00' }), {}, []],
])('a line is sought by its amount: %s', (_, row, terms, amounts) => {
  expect(soughtAmounts(row, octoberTerms(terms))).toEqual(amounts);
});

function sold(status: string): OurRow {
  return ourRow('collection', status, { amount: '100.00', fees: '2.00' });
}
