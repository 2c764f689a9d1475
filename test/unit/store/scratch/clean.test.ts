import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeGroup } from '../../../../src/domain/matching/judge.ts';
import { feeRow, linePostings, type Posting } from '../../../../src/domain/matching/postings.ts';
import { type OurRow, PRINCIPAL_TYPE, type TheirLine } from '../../../../src/domain/matching/rows.ts';
import type { Judgement } from '../../../../src/domain/matching/terms.ts';
import { LINES } from '../../../../src/domain/statements/lines.ts';
import { Scratch } from '../../../../src/store/scratch/scratch.ts';
import { agreeing, dayOf, type Group } from '../../../support/matching/agreeing.ts';
import { anyGroup } from '../../../support/matching/arbitrary.ts';
import { octoberTerms } from '../../../support/matching/groups.ts';
import { putLine, putRow, take } from '../../../support/matching/scratch.ts';
import { randomRuns } from '../../../support/random-runs.ts';

/* The sums of groups that agree, taken in SQL, against the judgement of each of them. */

const WALLET = 0;
const LEDGER = 1;

/** An agreeing group, or one in which a line or the row says something else. */
const group: fc.Arbitrary<Group> = fc.oneof(
  { weight: 6, arbitrary: agreeing },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        agreeing,
        fc.constantFrom('amount', 'fee', 'tax', 'duty', 'transactionReference'),
        fc.constantFrom(1n, null),
      )
      .map(([{ row, lines }, field, more]): Group => {
        const [first, ...rest] = lines;
        if (first === undefined) return { row, lines };
        if (field === 'transactionReference') return { row, lines: [{ ...first, [field]: 'T-2' }, ...rest] };
        return {
          row,
          lines: [
            { ...first, [field]: more === null && field !== 'amount' ? null : (first[field as 'fee'] ?? 0n) + 1n },
            ...rest,
          ],
        };
      }),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        agreeing,
        fc.constantFrom('fees', 'duty', 'amount', 'requested', 'reserved'),
        fc.constantFrom(null, 0n, 7n),
      )
      .map(([{ row, lines }, field, value]): Group => ({ row: { ...row, [field]: value }, lines })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(agreeing, fc.constantFrom('failed', 'reversed', 'processing', null))
      .map(([{ row, lines }, status]): Group => ({ row: { ...row, status }, lines })),
  },
  { weight: 2, arbitrary: anyGroup },
);

interface Placed extends Group {
  readonly leg: number;
  readonly account: string;
}

/** A ledger books a sale as it was asked for, as it was charged, or net, and a payout with or without its charges; sometimes it says some. */
const booked: fc.Arbitrary<Placed> = fc
  .tuple(
    agreeing,
    fc.constantFrom(0n, 3n),
    fc.constantFrom('asked', 'charged', 'net'),
    fc.constantFrom(null, null, 0n, 2n),
  )
  .filter(([{ lines }]) => lines.length > 0)
  .map(([{ row, lines }, more, how, fee]) => {
    const [line] = lines as [TheirLine];
    const requested = (row.amount ?? 0n) + more;
    const charges = (row.fees ?? 0n) + (row.duty ?? 0n);
    const net = (row.amount ?? 0n) + (line.amount < 0n ? charges : -charges);
    const principal = how === 'asked' ? requested : how === 'net' ? net : (row.amount ?? 0n);
    const amount = line.amount < 0n ? -principal : principal;
    return {
      ...{ row: { ...row, requested }, leg: LEDGER, account: 'wallet' },
      lines: [{ ...line, amount, principal, fee, tax: null, duty: null }],
    };
  });

const placed: fc.Arbitrary<Placed> = fc.oneof(
  { weight: 1, arbitrary: booked },
  {
    weight: 4,
    arbitrary: fc
      .tuple(group, fc.constantFrom(WALLET, WALLET, LEDGER), fc.constantFrom('one', 'two'))
      .map(([{ row, lines }, leg, account]) => ({
        row,
        leg,
        account,
        lines: lines.map((line) => ({ ...line, account })),
      })),
  },
);

const window = fc
  .tuple(fc.integer({ min: 8, max: 14 }), fc.nat({ max: 12 }), fc.nat({ max: 8 }), fc.nat({ max: 8 }))
  .map(([from, length, begin, first]) => ({
    ...{ from: dayOf(from), until: dayOf(from + length) },
    ...{ begin: dayOf(from - begin), first: dayOf(from - begin - first) },
  }));
type Window = typeof window extends fc.Arbitrary<infer W> ? W : never;

/** Fills a scratch database, and returns which groups SQL says are clean, with its sums. */
function cleanOf(groups: readonly Placed[], days: Window) {
  const scratch = new Scratch();
  try {
    scratch.setSides(
      [],
      [WALLET, LEDGER].map((leg) => ({
        ...{ leg, environment: 'test' as const, currency: 'NGN', isLedger: leg === LEDGER },
        ...{ kinds: ['collection', 'refund', 'payout', 'batch', 'top_up'] as const, days: [] },
      })),
      days,
    );
    const ids = groups.map(({ row, lines, leg }, index) => {
      const ours = putRow(scratch, { ...row, reference: `A${index}` });
      for (const line of lines) take(scratch, putLine(scratch, line, { leg }), ours);
      return ours;
    });
    scratch.passes.finish();
    const sums = [...scratch.lineSums()].filter(({ clean }) => clean !== null);
    const open = new Set([WALLET, LEDGER].flatMap((leg) => [...scratch.rows.groups(leg)].map(({ row }) => row.id)));
    const isClean = ({ lines }: Placed, index: number) => lines.length > 0 && !open.has(ids[index] ?? 0);
    return { sums, clean: groups.filter(isClean) };
  } finally {
    scratch.close();
  }
}

const judged = ({ row, lines, leg }: Placed, until: string) =>
  judgeGroup(row, lines, { ...octoberTerms({ until, judgedDay: until }), isLedger: leg === LEDGER });

/** The rows of the proof that one group adds to, as the sums of clean groups name them. */
function sumOf({ row: { kind } }: Placed, { ours, theirs }: Judgement, lines: readonly TheirLine[]) {
  const total = (postings: readonly Posting[], name: string) =>
    postings.reduce((sum, { row, minor }) => sum + (row === name ? minor : 0n), 0n);
  const raw = lines.flatMap((line) => linePostings(line, null));
  const moved = (name: string) => total(theirs, name) - total(raw, name);
  const fees = feeRow(kind);
  const main = LINES[PRINCIPAL_TYPE[kind]].row;
  return {
    main: total(ours, main),
    fee: -total(ours, fees),
    tax: -total(ours, 'tax'),
    duty: -total(ours, 'duty'),
    within: moved(main),
  };
}

function placedDay({ row, lines: [line] }: Placed): string {
  return row.isDayLearnt ? (line?.date ?? row.day) : row.day;
}

const spots = { numRuns: randomRuns(150) };

it('no group is clean of which there is something to say, or that reaches over an end of the period', () => {
  const holds = fc.property(fc.array(placed, { minLength: 20, maxLength: 40 }), window, (groups, days) => {
    for (const one of cleanOf(groups, days).clean) {
      const { from, until, first } = days;
      const { verdicts, ours, theirs } = judged(one, until);
      expect(verdicts).toEqual([]);
      const moves = [...ours, ...theirs]
        .map(({ day }) => day)
        .concat(one.row.kind === 'refund' ? one.row.startDay : []);
      const isIn = moves.every((day) => day >= from && day <= until);
      const isBefore = moves.every((day) => day < from) && one.lines.every(({ date }) => date >= first);
      expect(isIn || isBefore).toBe(true);
      if (isBefore) expect(judged(one, dayOf(-99)).verdicts.filter(({ code }) => code !== 'timing')).toEqual([]);
    }
  });
  fc.assert(holds, spots);
});

it('most groups that agree are: one line, in the period, not told by a person', () => {
  const whole = { from: dayOf(-5), until: dayOf(60), begin: dayOf(-5), first: dayOf(-5) };
  const holds = fc.property(fc.array(agreeing, { minLength: 1, maxLength: 20 }), (groups) => {
    const all = groups.map((one) => ({ ...one, leg: WALLET, account: 'wallet' }));
    const { clean } = cleanOf(all, whole);
    const isOne = ({ row, lines: [line, ...more] }: Group) =>
      line !== undefined && more.length === 0 && row.recordId !== null && row.kind === line.type && row.fees !== null;
    expect(clean).toEqual(all.filter((one) => isOne(one) && one.row.status !== 'reversed'));
  });
  fc.assert(holds, spots);
});

it('their sums are those of the judgements, by account, kind and time', () => {
  const holds = fc.property(fc.array(placed, { minLength: 20, maxLength: 40 }), window, (groups, days) => {
    const { sums, clean } = cleanOf(groups, days);
    const named = new Map<string, bigint[]>();
    for (const one of clean) {
      const isBefore = (one.lines[0]?.date ?? '') < days.from;
      const key = [one.leg, one.account, one.row.kind, isBefore, placedDay(one) >= days.begin].join(' ');
      const { main, fee, tax, duty, within } = sumOf(one, judged(one, days.until), one.lines);
      const before = named.get(key) ?? [0n, 0n, 0n, 0n, 0n, 0n];
      named.set(
        key,
        [1n, main, fee, tax, duty, within].map((value, index) => value + (before[index] ?? 0n)),
      );
    }
    const given = new Map<string, bigint[]>();
    for (const { leg, account, type, date, clean: since, lines, ...money } of sums) {
      const key = [leg, account, type, date < days.from, since === 'since our opening'].join(' ');
      const { amount, tax, feeWithin, dutyWithin } = money;
      const [fee, duty] = [money.fee + feeWithin, money.duty + dutyWithin];
      const values = [BigInt(lines), amount + fee + tax + duty, fee, tax, duty, feeWithin + dutyWithin];
      const before = given.get(key) ?? [0n, 0n, 0n, 0n, 0n, 0n];
      given.set(
        key,
        values.map((value, index) => value + (before[index] ?? 0n)),
      );
    }
    expect(Object.fromEntries(given)).toEqual(Object.fromEntries(named));
  });
  fc.assert(holds, spots);
});

it('a person told it, or two lines: not clean', () => {
  const row = (reference: string): OurRow => ({
    ...{ id: 0, kind: 'payout', environment: 'test', currency: 'NGN', reference, status: 'completed', recordId: 1 },
    ...{ amount: 100n, requested: null, fees: null, duty: null, reserved: null, channel: null },
    ...{ startDay: dayOf(1), day: dayOf(1), isDayLearnt: false, transactionReference: null, direction: 1n },
  });
  const line = { ...octoberLine, amount: -100n };
  const scratch = new Scratch();
  scratch.setSides([], [], { from: dayOf(0), until: dayOf(9), begin: dayOf(0), first: dayOf(0) });
  const [one, two, three] = ['A', 'B', 'C'].map((name) => putRow(scratch, row(name))) as [number, number, number];
  take(scratch, putLine(scratch, line), one, 'person');
  for (const _ of [1, 2]) take(scratch, putLine(scratch, line), two);
  take(scratch, putLine(scratch, line), three);
  scratch.passes.finish();
  const clean = [...scratch.lineSums()].filter((sum) => sum.clean !== null);
  expect(clean).toMatchObject([{ lines: 1 }]);
  scratch.close();
});

const octoberLine: TheirLine = {
  ...{ id: 1, account: 'wallet', type: 'payout', currency: 'NGN', date: dayOf(1), amount: -100n, principal: 100n },
  ...{
    fee: null,
    tax: null,
    duty: null,
    reference: 'A',
    transactionReference: null,
    postsOn: null,
    statement: 1,
    row: 2,
    fingerprint: 'f',
    occurrence: 1,
    pass: null,
  },
};
