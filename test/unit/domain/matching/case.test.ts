import { describe, expect, test } from 'vitest';
import { awaited, type Case, missing, statusDiffers, tooEarly } from '../../../../src/domain/matching/case.ts';
import type { TheirLine } from '../../../../src/domain/matching/rows.ts';
import { sumsOf } from '../../../../src/domain/matching/sums.ts';
import { octoberTerms, ourRow, said, theirLine } from '../../../support/matching/groups.ts';

const row = ourRow('payout', 'reversed', { amount: '100.00' });
/** A payout with these lines, due on the 12th; lines of November are behind the last day. */
const caseOf = (lines: readonly TheirLine[] = [], over: Partial<Case> = {}): Case => ({
  ...{ row, standing: 'done', day: row.day, goesOn: false, isOlder: false, instead: null },
  sums: sumsOf(
    'payout',
    lines.filter(({ date }) => date <= '2026-10-31'),
  ),
  all: sumsOf('payout', lines),
  terms: octoberTerms({ dueDay: () => '2026-10-12' }),
  ...over,
});
const judgedOn = (judgedDay: string) => ({ terms: octoberTerms({ dueDay: () => '2026-10-12', judgedDay }) });

describe('a row without a line', () => {
  test.each([
    ['2026-10-11', 'timing'],
    ['2026-10-12', 'missing_external'],
    ['2026-10-13', 'missing_external'],
  ])('due on the 12th, judged on %s: %s', (judgedDay, code) => {
    expect(missing(caseOf([], judgedOn(judgedDay)), 5n)).toMatchObject({
      ...{ code, field: 'reference', side: 'ours', theirs: null, effect: 5n, dueDay: '2026-10-12', line: null },
    });
  });

  test('is a matter of time while its group goes on after the last day', () => {
    expect(missing(caseOf([], { goesOn: true }), 5n).code).toBe('timing');
  });

  test('says nothing more once it is missing, and shows no amount that we do not know', () => {
    expect(missing(caseOf(), 5n).detail).toBeNull();
    expect(said(missing(caseOf(), 5n))).toBe('missing_external 100.00 - 0.05');
    expect(said(missing(caseOf([], { row: ourRow('payout', 'success', {}) }), 5n))).toBe('missing_external - - 0.05');
  });
});

describe('what is still awaited', () => {
  test('is a matter of time, and says when it is due', () => {
    const waits = (judgedDay: string) => awaited(caseOf([], judgedOn(judgedDay)), 'its release', 5n);
    expect(waits('2026-10-12')).toMatchObject({ code: 'timing', detail: 'its release is due by 2026-10-12' });
    expect(waits('2026-10-11').detail).toBe('its release is due by 2026-10-12, a day that this run does not judge yet');
  });

  test.each(['payout', 'fee', 'payout_reversal', 'reserve', 'release'] as const)(
    'or that it came after the period, as a line of %s',
    (type) => {
      const later = theirLine(type, '1.00', { date: '2026-11-03' });
      const last = theirLine(type, '1.00', { date: '2026-11-05' });
      const inTime = theirLine(type, '1.00', { date: '2026-10-31' });
      expect(awaited(caseOf([last, inTime, later]), 'its line', 5n).detail).toBe(
        'its line came on 2026-11-03, after this period',
      );
      expect(awaited(caseOf([inTime]), 'its line', 5n).detail).toBe('its line is due by 2026-10-12');
    },
  );
});

describe('another outcome in the file', () => {
  const debit = theirLine('payout', '-100.00', { row: 2 });
  const back = theirLine('payout_reversal', '100.00', { row: 3 });
  const hold = theirLine('reserve', '-100.00', { row: 4 });
  const lineOf = (theirs: string, ...lines: TheirLine[]) => statusDiffers(caseOf(lines), theirs, 7n).line;

  test('is a difference of the status between us and the statement', () => {
    const verdict = statusDiffers(caseOf([debit]), 'success', 7n);
    expect(said(verdict)).toBe('status_mismatch/internal_vs_statement reversed success 0.07');
    expect(verdict).toMatchObject({ field: 'status', side: 'ours', dueDay: null });
  });

  test('names the line that shows it', () => {
    expect(lineOf('success', debit, back)).toBe(debit);
    expect(lineOf('reversed', debit, back)).toBe(back);
    expect(lineOf('success', back)).toBeNull();
    const ofRefund = (theirs: string, ...lines: TheirLine[]) =>
      statusDiffers(caseOf([], { sums: sumsOf('refund', lines) }), theirs, 7n).line;
    expect(ofRefund('success', back, hold)).toBe(hold);
    expect(ofRefund('reversed', hold)).toBe(hold);
  });
});

describe('a line that comes before its row', () => {
  const debit = theirLine('payout', '-100.00', { row: 2 });
  const hold = theirLine('reserve', '-100.00', { row: 4 });

  test('is a matter of time of their side', () => {
    const [verdict, ...others] = tooEarly(caseOf([debit]), -10_000n);
    expect(others).toEqual([]);
    expect(verdict && said(verdict)).toBe('timing - 100.00 -100.00');
    expect(verdict).toMatchObject({ side: 'theirs', field: 'reference', line: debit, dueDay: '2026-10-12' });
  });

  test('names the line of the amount, else of the reserve', () => {
    expect(tooEarly(caseOf([debit]), 1n)[0]?.line).toBe(debit);
    expect(tooEarly(caseOf([], { sums: sumsOf('refund', [hold]) }), 1n)[0]?.line).toBe(hold);
    expect(tooEarly(caseOf(), 1n)[0]?.line).toBeNull();
  });

  test('that moves nothing in the end is left out', () => {
    expect(tooEarly(caseOf([debit]), 0n)).toEqual([]);
  });
});
