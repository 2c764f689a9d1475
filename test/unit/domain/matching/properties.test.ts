import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeGroup } from '../../../../src/domain/matching/judge.ts';
import { type Posting, sumUntil } from '../../../../src/domain/matching/postings.ts';
import type { TheirLine } from '../../../../src/domain/matching/rows.ts';
import { isAmount } from '../../../../src/domain/money/amount.ts';
import { agreeing, dayOf } from '../../../support/matching/agreeing.ts';
import { anyGroup, anyTerms } from '../../../support/matching/arbitrary.ts';
import { octoberTerms } from '../../../support/matching/groups.ts';
import { randomRuns } from '../../../support/random-runs.ts';

const LAST = dayOf(60);
const ended = octoberTerms({ until: LAST, judgedDay: LAST });
const day = fc.integer({ min: 0, max: 45 }).map(dayOf);
const all = (postings: readonly Posting[]) => sumUntil(postings, LAST);
const lots = { numRuns: randomRuns(500) };

describe('whatever stands in a group', () => {
  it('the effects are what moved by them less what moved by us, up to the last day', () => {
    const holds = fc.property(anyGroup, anyTerms, ({ row, lines }, terms) => {
      const { verdicts, ours, theirs } = judgeGroup(row, lines, terms);
      const moved = lines.filter(({ date }) => date <= terms.until).reduce((sum, { amount }) => sum + amount, 0n);
      expect(all(theirs)).toBe(moved);
      expect(verdicts.reduce((sum, { effect }) => sum + effect, 0n)).toBe(moved - all(ours));
      expect([...ours, ...theirs].filter((posting) => posting.day > terms.until)).toEqual([]);
    });
    fc.assert(holds, { numRuns: randomRuns(3_000) });
  });

  it('lines in another order give the same judgement', () => {
    const shuffled = anyGroup.chain((group) =>
      fc.tuple(fc.constant(group), fc.shuffledSubarray([...group.lines], { minLength: group.lines.length })),
    );
    const holds = fc.property(shuffled, anyTerms, ([{ row, lines }, others], terms) => {
      const [one, other] = [judgeGroup(row, lines, terms), judgeGroup(row, others, terms)];
      expect(other.verdicts).toEqual(one.verdicts);
      for (const side of ['ours', 'theirs'] as const) expect(totals(other[side])).toEqual(totals(one[side]));
    });
    fc.assert(holds, { numRuns: randomRuns(2_000) });
  });

  it('a charge that differs has its variance as effect, and so has an amount, wherever it stands', () => {
    const holds = fc.property(anyGroup, anyTerms, ({ row, lines }, terms) => {
      const { verdicts } = judgeGroup(row, lines, terms);
      for (const { code, field, ours, theirs, effect } of verdicts) {
        if (!isAmount(ours) || !isAmount(theirs) || field === 'reversal') continue;
        const variance = minorOf(theirs) - minorOf(ours);
        const wanted = code === 'amount_mismatch' || code === 'split_incomplete' ? [variance, -variance] : [-variance];
        expect([code, wanted.includes(effect)]).toEqual([code, true]);
      }
    });
    fc.assert(holds, { numRuns: randomRuns(3_000) });
  });
});

describe('a group that agrees', () => {
  it('gives no verdict once everything is there', () => {
    fc.assert(
      fc.property(agreeing, ({ row, lines }) => {
        expect(judgeGroup(row, lines, ended).verdicts).toEqual([]);
      }),
      lots,
    );
  });

  it('is at most timing on any earlier day, and its parts add up to the whole', () => {
    fc.assert(
      fc.property(agreeing, day, ({ row, lines }, until) => {
        const early = judgeGroup(row, lines, { ...ended, until });
        expect(early.verdicts.map(({ code }) => code).filter((code) => code !== 'timing')).toEqual([]);
        // What was timing is gone at the end: by then it came.
        const late = judgeGroup(row, lines, ended);
        expect(all(late.theirs) - all(late.ours)).toBe(0n);
      }),
      lots,
    );
  });

  it('without the lines that came later it is a break, as soon as they are due', () => {
    const holds = fc.property(agreeing, day, ({ row, lines }, until) => {
      const known = lines.filter(({ date }) => date <= until);
      fc.pre(known.length < lines.length && row.day <= until);
      const early = judgeGroup(row, lines, { ...ended, until });
      const final = judgeGroup(row, known, { ...ended, until });
      fc.pre(early.verdicts.some(({ code }) => code === 'timing'));
      expect(final.verdicts.map(({ code }) => code)).not.toContain('timing');
      expect(final.verdicts.length).toBe(early.verdicts.length);
      expect(final.verdicts.map(({ effect }) => effect)).toEqual(early.verdicts.map(({ effect }) => effect));
    });
    fc.assert(holds, { ...lots, maxSkipsPerRun: 1_000 }); // of most groups nothing comes later
  });

  it('with a line doubled has one duplicate, and nothing else changes', () => {
    const doubled = agreeing
      .filter(({ lines }) => lines.length > 0)
      .chain((group) => fc.tuple(fc.constant(group), fc.nat({ max: group.lines.length - 1 }), fc.nat({ max: 3 })));
    const holds = fc.property(doubled, ([{ row, lines }, place, later]) => {
      const line = lines[place] as (typeof lines)[number];
      const copy = { ...line, id: 99, row: 99, occurrence: 2, date: dayOf(daysOf(line.date) + later) };
      const [alone, both] = [judgeGroup(row, lines, ended), judgeGroup(row, [copy, ...lines], ended)];
      expect(both.verdicts).toMatchObject([
        { code: 'duplicate_external', side: 'theirs', effect: line.amount, line: copy },
      ]);
      expect(both.ours).toEqual(alone.ours);
    });
    fc.assert(holds, lots);
  });

  it('with another line of its amount and a wrong fee has one duplicate, whichever comes first', () => {
    const isMain = ({ type }: TheirLine) => type === 'collection' || type === 'payout';
    const known = agreeing.filter(({ row, lines }) => row.fees !== null && lines.filter(isMain).length === 1);
    const holds = fc.property(known, fc.constantFrom(1n, 500n), fc.boolean(), ({ row, lines }, more, isFirst) => {
      const place = lines.findIndex(isMain);
      const main = lines[place] as TheirLine;
      fc.pre(main.fee !== null && (row.status === 'success' || row.status === 'completed'));
      const [fee, amount] = [(main.fee ?? 0n) + more, main.amount - more];
      const rival = { ...main, id: 99, row: 99, fingerprint: isFirst ? '' : '~', fee, amount };
      const [alone, both] = [judgeGroup(row, lines, ended), judgeGroup(row, [...lines, rival], ended)];
      expect(both.verdicts).toMatchObject([{ code: 'duplicate_external', effect: amount, line: rival }]);
      expect(both.ours).toEqual(alone.ours);
    });
    fc.assert(holds, lots);
  });

  it('with its amount altered has one break of that, to the last minor unit', () => {
    const one = agreeing.filter(({ row }) => row.status === 'success' || row.status === 'completed');
    const holds = fc.property(one, fc.constantFrom(1n, -1n, 100n), ({ row, lines }, more) => {
      const place = lines.findIndex(({ type }) => type !== 'fee' && type !== 'tax' && type !== 'duty');
      const hit = lines[place] as (typeof lines)[number];
      fc.pre(hit.type !== 'reserve' && hit.type !== 'release' && hit.principal > 100n);
      const altered = {
        ...hit,
        amount: hit.amount + more,
        principal: hit.principal + (hit.amount < 0n ? -more : more),
      };
      const { verdicts } = judgeGroup(row, lines.with(place, altered), ended);
      fc.pre(row.fees === null || hit.fee !== null || lines.length === 1);
      expect(verdicts.map(({ effect }) => effect)).toEqual([more]);
      expect(verdicts[0]?.code).toBe(row.kind === 'batch' ? 'split_incomplete' : 'amount_mismatch');
    });
    fc.assert(holds, lots);
  });
});

const minorOf = ({ units, scale }: { units: bigint; scale: number }) => units * 10n ** BigInt(2 - scale);
const daysOf = (text: string) => Math.round((Date.parse(text) - Date.parse(dayOf(0))) / 86_400_000);

/** By row and day. */
function totals(postings: readonly Posting[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const { row, day: on, minor } of postings) sums[`${row} ${on}`] = (sums[`${row} ${on}`] ?? 0n) + minor;
  return Object.fromEntries(
    Object.entries(sums)
      .filter(([, minor]) => minor !== 0n)
      .sort(),
  );
}
