import { describe, expect, test } from 'vitest';
import type { Case } from '../../../../src/domain/matching/case.ts';
import { judgeRefund } from '../../../../src/domain/matching/refund.ts';
import type { TheirLine } from '../../../../src/domain/matching/rows.ts';
import { caseOf, saidOf } from '../../../support/matching/cases.ts';
import { octoberTerms, ourRow, type RowParts, theirLine } from '../../../support/matching/groups.ts';

// A refund of 50.00 with a fee of 0.20, begun on the 5th and settled on the 10th, which holds 51.00.

const PARTS: RowParts = { amount: '50.00', fees: '0.20', reserved: '51.00', startDay: '2026-10-05' };
const refund = (status: string, parts: RowParts = PARTS) => ourRow('refund', status, parts);
const HOLD = theirLine('reserve', '-51.00', { row: 2, date: '2026-10-05' });
const RELEASE = theirLine('release', '51.00', { row: 3 });
const PAID = theirLine('refund', '-50.20', { row: 4, fee: '0.20' });
const judged = (status: string, lines: readonly TheirLine[], parts = PARTS, over: Partial<Case> = {}) =>
  saidOf(judgeRefund(caseOf(refund(status, parts), lines, over)));
/** Neither its money nor its hold is known; what it holds is not said. */
const UNKNOWN: RowParts = { startDay: '2026-10-05' };
const UNRESERVED: RowParts = { amount: '50.00', fees: '0.20', startDay: '2026-10-05' };
const HELD_BY_US = 'reserves 10-05 -5100';
const MONEY = ['refunds 10-10 -5000', 'refund_fees 10-10 -20'];

describe('while it is not settled', () => {
  test('it holds its money from its first day', () => {
    expect(judged('processing', [HOLD])).toEqual({ said: [], ours: [HELD_BY_US] });
  });

  test('it waits for the line of its hold', () => {
    const part = judgeRefund(caseOf(refund('processing')));
    expect(saidOf(part)).toEqual({ said: ['timing 50.00 - 51.00'], ours: [HELD_BY_US] });
    expect(part.verdicts[0]?.detail).toBe('it is not settled, and the statement does not show its reserve');
  });

  test('without a known hold it waits for nothing, and holds what the file does', () => {
    expect(judged('processing', [], UNKNOWN)).toEqual({ said: [], ours: [] });
    expect(judged('processing', [HOLD], UNKNOWN)).toEqual({ said: [], ours: [HELD_BY_US] });
  });

  test('the hold that the service does not say is amount and fee', () => {
    expect(judged('processing', [], UNRESERVED).ours).toEqual(['reserves 10-05 -5020']);
    expect(judged('processing', [], { amount: '50.00', startDay: '2026-10-05' }).ours).toEqual([
      'reserves 10-05 -5000',
    ]);
  });

  test('a hold of another amount differs', () => {
    const hold = theirLine('reserve', '-52.00', { row: 2 });
    const part = judgeRefund(caseOf(refund('processing'), [hold]));
    expect(saidOf(part)).toEqual({ said: ['reserve_mismatch 51.00 52.00 -1.00'], ours: [HELD_BY_US] });
    expect(part.verdicts).toMatchObject([{ field: 'reserve', side: 'ours', line: hold }]);
  });

  test('money in the file is another outcome, beside a hold that differs', () => {
    const other = 'status_mismatch/internal_vs_statement processing success -50.20';
    expect(judged('processing', [PAID])).toEqual({ said: [other], ours: [] });
    expect(judged('processing', [HOLD, PAID])).toEqual({ said: [other], ours: [HELD_BY_US] });
    expect(judged('processing', [HOLD, RELEASE, PAID]).said).toEqual([other, 'reserve_mismatch 51.00 0.00 51.00']);
    const fee = theirLine('fee', '-0.20');
    expect(judged('processing', [fee]).said).toEqual([
      'status_mismatch/internal_vs_statement processing success -0.20',
    ]);
  });
});

describe('settled after the last day', () => {
  const until = { terms: octoberTerms({ until: '2026-10-09' }) };
  const early = (lines: readonly TheirLine[], parts = PARTS) =>
    judged(
      'success',
      lines.map((line) => ({ ...line, date: '2026-10-09' })),
      parts,
      until,
    );

  test('it holds its money as long as the file shows neither the release nor the money', () => {
    expect(early([HOLD])).toEqual({ said: [], ours: [HELD_BY_US] });
    expect(early([])).toEqual({ said: ['timing 50.00 - 51.00'], ours: [HELD_BY_US] });
  });

  test('what the file shows before is a matter of time, less what is held by us', () => {
    expect(early([PAID])).toEqual({ said: ['timing - 50.00 -50.20'], ours: [] });
    expect(early([HOLD, RELEASE])).toEqual({ said: ['timing - 51.00 51.00'], ours: [HELD_BY_US] });
    expect(early([HOLD, RELEASE, PAID])).toEqual({ said: ['timing - 50.00 0.80'], ours: [HELD_BY_US] });
    expect(early([HOLD, PAID])).toEqual({ said: ['timing - 50.00 -50.20'], ours: [HELD_BY_US] });
    expect(early([HOLD, PAID], UNKNOWN)).toEqual({ said: ['timing - 50.00 -101.20'], ours: [] });
  });
});

describe('rejected', () => {
  test('it agrees with nothing, and with a hold that was released', () => {
    expect(judged('rejected', [])).toEqual({ said: [], ours: [] });
    expect(judged('rejected', [HOLD, RELEASE])).toEqual({ said: [], ours: [HELD_BY_US, 'reserves 10-10 5100'] });
    expect(judged('rejected', [HOLD, RELEASE], UNKNOWN).said).toEqual([]);
  });

  test('what is still held, or was paid, is another outcome', () => {
    const part = judgeRefund(caseOf(refund('rejected'), [HOLD]));
    expect(saidOf(part).said).toEqual(['status_mismatch/internal_vs_statement rejected reserved -51.00']);
    expect(part.verdicts[0]?.line).toBe(HOLD);
    expect(judged('rejected', [HOLD], UNKNOWN).ours).toEqual([HELD_BY_US, 'reserves 10-10 5100']);
    expect(judged('rejected', [PAID])).toEqual({
      ...{ said: ['status_mismatch/internal_vs_statement rejected success -50.20'], ours: [] },
    });
  });

  test('money that left beside a hold that differs is one break of both', () => {
    const other = 'status_mismatch/internal_vs_statement rejected success';
    expect(judged('rejected', [HOLD, PAID]).said).toEqual([`${other} -101.20`]);
    expect(judged('rejected', [RELEASE, PAID]).said).toEqual([`${other} 0.80`]);
  });

  test.each([
    ['2026-10-11', 'timing'],
    ['2026-10-12', 'status_mismatch'],
  ])('a release that is due on the 12th, judged on %s: %s', (judgedDay, code) => {
    const terms = octoberTerms({ dueDay: () => '2026-10-12', judgedDay });
    const { verdicts } = judgeRefund(caseOf(refund('rejected'), [HOLD], { terms }));
    expect(verdicts).toMatchObject([{ code, effect: -5_100n, line: HOLD }]);
  });

  test('a release that comes after the period is waited for', () => {
    const { verdicts } = judgeRefund(caseOf(refund('rejected'), [HOLD, { ...RELEASE, date: '2026-11-02' }]));
    expect(verdicts).toMatchObject([
      { code: 'timing', line: HOLD, detail: 'its release came on 2026-11-02, after this period' },
    ]);
  });
});

describe('paid', () => {
  test('without a line it is missing, with amount and fee as effect', () => {
    expect(judged('success', [])).toEqual({ said: ['missing_external 50.00 - 50.20'], ours: MONEY });
    expect(judged('success', [], { amount: '50.00' })).toEqual({
      ...{ said: ['missing_external 50.00 - 50.00'], ours: ['refunds 10-10 -5000'] },
    });
    expect(judged('success', [], UNKNOWN)).toEqual({ said: ['missing_external - - 0.00'], ours: [] });
  });

  test('its charges alone are not its money', () => {
    const fee = theirLine('fee', '-0.20', { row: 4 });
    for (const lines of [[fee], [HOLD, RELEASE, fee]])
      expect(judged('success', lines).said).toEqual(['missing_external 50.00 - 50.00']);
  });

  test('the hold alone, never released, is what it took', () => {
    expect(judged('success', [HOLD])).toEqual({ said: [], ours: [HELD_BY_US] });
    expect(judged('success', [HOLD], UNRESERVED)).toEqual({
      ...{ said: ['reserve_mismatch 50.20 51.00 -0.80'], ours: ['reserves 10-05 -5020'] },
    });
    expect(judged('success', [HOLD], UNKNOWN)).toEqual({ said: [], ours: [HELD_BY_US] });
    expect(judged('success', [HOLD, RELEASE], UNKNOWN)).toEqual({ said: [], ours: ['reserves 10-05 0'] });
  });

  test('after the release its money is missing', () => {
    expect(judged('success', [HOLD, RELEASE])).toEqual({
      said: ['missing_external 50.00 - 50.20'],
      ours: [HELD_BY_US, 'reserves 10-10 5100', ...MONEY],
    });
  });

  test('it agrees with its money, with or without the hold', () => {
    expect(judged('success', [PAID])).toEqual({ said: [], ours: MONEY });
    expect(judged('success', [HOLD, RELEASE, PAID])).toEqual({
      ...{ said: [], ours: [HELD_BY_US, 'reserves 10-10 5100', ...MONEY] },
    });
    expect(judged('success', [HOLD, RELEASE, PAID], UNKNOWN)).toEqual({ said: [], ours: MONEY });
  });

  test('its money differs beside a hold that was not released', () => {
    const less = theirLine('refund', '-49.20', { row: 4, fee: '0.20' });
    expect(judged('success', [HOLD, less]).said).toEqual([
      'amount_mismatch 50.00 49.00 1.00',
      'status_mismatch/internal_vs_statement success reserved -51.00',
    ]);
  });

  test('money that is net of its fee is divided as we do, also beside the hold', () => {
    const net = theirLine('refund', '-50.20', { row: 4 });
    for (const lines of [[net], [HOLD, RELEASE, net]]) {
      const { verdicts, divided } = judgeRefund(caseOf(refund('success'), lines));
      expect(verdicts).toEqual([]);
      expect(divided?.map(({ row, minor }) => `${row} ${minor}`)).toEqual(['refunds 20', 'refund_fees -20']);
    }
  });
});

describe('a hold from before the first day that is shown', () => {
  const older = (status: string, lines: readonly TheirLine[], parts = PARTS) =>
    judged(status, lines, parts, { isOlder: true });

  test('waits for no line, and stands behind its release', () => {
    expect(older('processing', [])).toEqual({ said: [], ours: [] });
    expect(older('success', [RELEASE, PAID])).toEqual({ said: [], ours: ['reserves 10-10 5100', ...MONEY] });
    expect(older('rejected', [RELEASE])).toEqual({ said: [], ours: ['reserves 10-10 5100'] });
    expect(older('success', [PAID])).toEqual({ said: [], ours: MONEY });
  });

  test('of which we know no amount is what was released', () => {
    expect(older('rejected', [RELEASE], UNKNOWN)).toEqual({ said: [], ours: ['reserves 10-10 5100'] });
    expect(older('success', [RELEASE, PAID], UNKNOWN).said).toEqual([]);
  });

  test('whose release differs, or comes too early, is a break', () => {
    const part = theirLine('release', '50.00', { row: 3 });
    expect(older('rejected', [part]).said).toEqual(['reserve_mismatch 0.00 1.00 -1.00']);
    expect(older('processing', [RELEASE])).toEqual({ said: ['reserve_mismatch 51.00 0.00 51.00'], ours: [] });
  });

  test('whose money left then, too, and came back in part: ours is the whole of what was paid', () => {
    const back = (amount: string) => theirLine('refund_reversal', amount, { row: 4 });
    expect(older('rejected', [back('50.20')]).said).toEqual([]);
    expect(older('rejected', [back('40.00')])).toEqual({
      ...{ said: ['amount_mismatch 50.20 40.00 -10.20'], ours: ['refunds 10-10 5020'] },
    });
    expect(older('rejected', [RELEASE, back('40.00')]).said).toEqual(['amount_mismatch 50.20 40.00 -10.20']);
  });

  test('whose money did not leave is missing it', () => {
    expect(older('success', [RELEASE])).toEqual({
      said: ['missing_external 50.00 - 50.20'],
      ours: ['reserves 10-10 5100', ...MONEY],
    });
  });
});
