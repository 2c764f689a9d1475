import { expect, test } from 'vitest';
import { lateFacts, lateVerdicts } from '../../../../src/domain/matching/late.ts';
import type { TheirLine } from '../../../../src/domain/matching/rows.ts';
import { type Judgement, PAIR, type Verdict } from '../../../../src/domain/matching/terms.ts';
import { amountOfMinor } from '../../../../src/domain/money/amount.ts';
import { minor, ourRow, said, theirLine } from '../../../support/matching/groups.ts';

const sale = ourRow('collection', 'success', { amount: '100.00' });
const line = theirLine('collection', '98.00', { fee: '2.00', row: 2 });
const other = theirLine('fee', '-1.00', { row: 3 });
const breakOf = (code: Verdict['code'], effect: string, about: Partial<Verdict> = {}): Verdict => ({
  ...{ ...PAIR, code, ours: amountOfMinor(minor('5.00')), theirs: null, effect: minor(effect), ...about },
});
const judged = (...verdicts: Verdict[]): Judgement => ({
  verdicts,
  isMatched: true,
  doubtful: [],
  ours: [],
  theirs: [],
  chargedApart: [],
});
const none: readonly TheirLine[] = [];

test('a late row is one late arrival, with the effects and the codes of all that differs about it', () => {
  const both = judged(
    breakOf('amount_mismatch', '-3.00', { line }),
    breakOf('fee_mismatch', '-2.00', { line: other }),
    breakOf('fee_mismatch', '1.00'),
  );
  const late = lateVerdicts(both, sale, [line, other], { row: '2026-10-10', lines: none });
  expect(late.map(said)).toEqual(['late_arrival 100.00 100.00 -4.00']);
  const about = { field: 'amount', side: 'ours', detail: 'dated 2026-10-10: amount_mismatch, fee_mismatch' };
  expect(late).toMatchObject([{ ...about, line }]);
});

test('a late row shows the line that stands, and not its copy', () => {
  const copy = breakOf('duplicate_external', '-1.00', { line: other });
  const verdicts = lateVerdicts(judged(copy), sale, [other, line], { row: '2026-10-10', lines: none });
  expect(verdicts.map((one) => [said(one), one.line])).toEqual([['late_arrival 100.00 100.00 -1.00', line]]);
});

test('a late row without an amount or a line shows neither', () => {
  const posting = { row: 'collections', day: '2026-10-10', minor: 1n } as const;
  const moved = { ...judged(), ours: [posting] };
  const unknown = ourRow('collection', 'success', {});
  const verdicts = lateVerdicts(moved, unknown, [], { row: '2026-10-10', lines: none });
  expect(verdicts.map(said)).toEqual(['late_arrival - - 0.00']);
  expect(verdicts).toMatchObject([{ line: null, detail: 'dated 2026-10-10' }]);
});

test('a late row is named by a break, a line or a movement, and by nothing else', () => {
  const count = (one: Judgement, lines = [line]) =>
    lateVerdicts(one, sale, lines, { row: '2026-10-10', lines: none }).length;
  const posting = { row: 'collections', day: '2026-10-10', minor: 1n } as const;
  expect([
    count(judged(breakOf('missing_external', '-1.00')), []),
    count(judged()),
    count({ ...judged(), ours: [posting] }, []),
    count(judged(), []),
  ]).toEqual([1, 1, 1, 0]);
});

test('each late line of a known row is a late arrival of their side, and other differences stay as they are', () => {
  const stays = [breakOf('fee_mismatch', '-2.00', { line: other }), breakOf('missing_external', '7.00')];
  const both = judged(
    breakOf('amount_mismatch', '-3.00', { line }),
    breakOf('tax_mismatch', '0.50', { line }),
    ...stays,
  );
  const verdicts = lateVerdicts(both, sale, [line, other], { row: null, lines: [line] });
  expect(verdicts.slice(0, -1)).toEqual(stays);
  expect(verdicts.slice(-1).map(said)).toEqual(['late_arrival - 100.00 -2.50']);
  const about = { field: 'amount', side: 'theirs', detail: 'dated 2026-10-10: amount_mismatch, tax_mismatch' };
  expect(verdicts.at(-1)).toMatchObject({ ...about, line });
});

test('two late lines are two late arrivals, each of its own day', () => {
  const earlier = { ...other, date: '2026-10-08' };
  const verdicts = lateVerdicts(judged(), sale, [line, earlier], { row: null, lines: [line, earlier] });
  expect(verdicts.map((one) => [said(one), one.detail])).toEqual([
    ['late_arrival - 100.00 0.00', 'dated 2026-10-10'],
    ['late_arrival - 1.00 0.00', 'dated 2026-10-08'],
  ]);
});

test('without a late row or line the verdicts stay as they are', () => {
  const one = judged(breakOf('amount_mismatch', '-3.00', { line }));
  expect(lateVerdicts(one, sale, [line], { row: null, lines: none })).toEqual(one.verdicts);
});

test('the detail of a late arrival names its day, and each code once where it has some', () => {
  const codes = (...names: Verdict['code'][]) => names.map((code) => ({ code, effect: 1n }));
  expect(lateFacts([], '2026-10-09')).toMatchObject({ detail: 'dated 2026-10-09', effect: 0n });
  expect(lateFacts(codes('fee_mismatch', 'tax_mismatch', 'fee_mismatch'), '2026-10-09')).toMatchObject({
    detail: 'dated 2026-10-09: fee_mismatch, tax_mismatch',
    effect: 3n,
  });
});
