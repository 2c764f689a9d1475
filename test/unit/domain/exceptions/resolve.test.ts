import { describe, expect, test } from 'vitest';
import type { HeldResolution, ResolvedTwin, WantedResolution } from '../../../../src/domain/exceptions/act.ts';
import { resolve } from '../../../../src/domain/exceptions/resolve.ts';
import { ACTOR, actedOn, changeOf, HELD, refusalOf } from '../../../support/acting.ts';

const ACCEPT: WantedResolution = {
  ...{ resolution: 'accept', reasonCode: 'rounding', reference: null, comment: null, followUp: null },
  ...{ attachments: [], lines: [] },
};
const CLAIM: WantedResolution = {
  ...ACCEPT,
  ...{ resolution: 'claim', reasonCode: 'service_error', reference: 'CLM-7', followUp: '2026-12-01' },
};
const LINE = { statement: 1, row: 2 };
const resolved = (acted: Parameters<typeof actedOn>[0], wanted: WantedResolution) =>
  resolve(actedOn(acted), wanted, ACTOR);

describe('a resolution', () => {
  test('holds with all that was said of it', () => {
    const attachments = [{ name: 'a.pdf', sha256: 'ab' }];
    const wanted = {
      ...ACCEPT,
      comment: 'small',
      followUp: '2026-12-01',
      reference: 'R-1',
      attachments,
      lines: [LINE],
    };
    const { comment, ...said } = wanted;
    expect(changeOf(resolved({ value: 100n, assignee: 'cem' }, wanted))).toEqual({
      ...{ event: 'resolve', after: 'resolved', assignee: 'cem', comment: { text: comment } },
      resolution: { ...said, approval: null, do: 'hold' },
    });
  });

  test('without a comment keeps none', () => {
    expect(changeOf(resolved({}, ACCEPT)).comment).toBeNull();
  });

  test('above the limit of its code waits for approval', () => {
    expect(changeOf(resolved({ value: 101n }, ACCEPT)).resolution).toMatchObject({ approval: 'needed' });
  });

  test('without a reason code follows no rule, also where a code is named null', () => {
    const reasons = { null: { resolution: null, account: null, needs: [], approveAbove: { any: 0n } } } as const;
    const wanted = { ...ACCEPT, resolution: 'match', reasonCode: null, lines: [LINE] } as const;
    const judged = resolve(actedOn({ value: 100n }), wanted, { by: 'ben', reasons });
    expect(changeOf(judged).resolution).toMatchObject({ approval: null });
  });

  test('takes the reference from the start of its comment, unless one was given', () => {
    const wanted = { ...CLAIM, comment: 'ref: CLM-9; why' };
    expect(changeOf(resolved({}, { ...wanted, reference: null })).resolution).toMatchObject({ reference: 'CLM-9' });
    expect(changeOf(resolved({}, wanted)).resolution).toMatchObject({ reference: 'CLM-7' });
  });

  test.each(['match', 'undo_match'] as const)(
    '%s changes the matching and leaves the state, without a reason',
    (resolution) => {
      const change = changeOf(resolved({}, { ...ACCEPT, resolution, reasonCode: null, lines: [LINE], comment: 'x' }));
      expect(change).toMatchObject({ event: resolution, after: 'open', comment: { text: 'x' } });
      expect(change.resolution).toMatchObject({ do: 'match', resolution, lines: [LINE], approval: null });
    },
  );
});

describe('what pays a claim', () => {
  const claim: HeldResolution = { ...HELD, resolution: 'claim', reference: 'CLM-7', followUp: '2026-12-01' };
  const pays: WantedResolution = { ...CLAIM, reference: null, followUp: null, lines: [LINE] };
  const claimed = { status: 'resolved', held: claim } as const;

  test('names its line, and need not repeat what the claim said', () => {
    expect(changeOf(resolved(claimed, { ...pays, comment: 'came' }))).toEqual({
      ...{ event: 'pay', after: 'resolved', assignee: null, comment: { text: 'came' } },
      resolution: { do: 'pay', lines: [LINE] },
    });
    expect(changeOf(resolved(claimed, pays)).comment).toBeNull();
  });

  test('may say a reference of its own, and must say a day of follow-up that is one', () => {
    expect(changeOf(resolved(claimed, { ...pays, reference: 'CLM-8' })).event).toBe('pay');
    expect(refusalOf(resolved(claimed, { ...pays, followUp: 'soon' })).message).toBe(
      'The follow-up "soon" is no day such as 2026-12-01.',
    );
  });

  test('comes once', () => {
    const paid = { status: 'resolved', held: { ...claim, isPaid: true } } as const;
    expect(refusalOf(resolved(paid, pays))).toEqual({
      ...{ reason: 'state', message: 'The claim of x-1 is paid already.' },
      hint: 'See: tallyhook exceptions show x-1',
    });
  });

  test('without a line is another resolution, which is refused', () => {
    expect(refusalOf(resolved(claimed, { ...CLAIM, lines: [] })).message).toBe(
      'x-1 is resolved (by ada, 2026-11-02T08:00:00.000Z): it cannot be resolved.',
    );
    expect(refusalOf(resolved(claimed, { ...pays, lines: [] })).reason).toBe('missing');
  });

  test('is of a claim that holds, and of nothing else', () => {
    const accepted = { status: 'resolved', held: HELD } as const;
    expect(refusalOf(resolved(accepted, { ...CLAIM, lines: [LINE] })).reason).toBe('state');
    expect(refusalOf(resolved(accepted, pays)).reason).toBe('missing');
    expect(refusalOf(resolved(claimed, { ...ACCEPT, lines: [LINE] })).reason).toBe('state');
    expect(changeOf(resolved({ held: claim }, { ...CLAIM, lines: [LINE] })).event).toBe('resolve');
    expect(refusalOf(resolved({ held: claim }, pays)).reason).toBe('missing');
  });

  test('goes on in a closed period', () => {
    expect(changeOf(resolved({ ...claimed, closedIn: { period: '2026-10', by: 'day' } }, pays)).event).toBe('pay');
  });
});

describe('an exception about the same amount', () => {
  const twin: ResolvedTwin = { id: 'x-2', resolution: 'claim', by: 'cem' };

  test('is resolved alike, or not at all', () => {
    expect(refusalOf(resolved({ twins: [twin] }, ACCEPT))).toEqual({
      reason: 'state',
      message:
        'x-1 is the same difference as x-2, which is resolved as claim (by cem): it cannot be resolved as accept.',
      hint: 'Resolve it as claim, too, or open the other one again: tallyhook exceptions reopen x-2 --reason TEXT',
    });
    expect(changeOf(resolved({ twins: [twin] }, CLAIM)).after).toBe('resolved');
    const alike: ResolvedTwin = { id: 'x-3', resolution: 'accept', by: 'ada' };
    expect(refusalOf(resolved({ twins: [alike, twin] }, ACCEPT)).message).toContain('x-2');
  });

  test.each(['match', 'undo_match'] as const)(
    'does not hinder %s, which decides nothing about the amount',
    (resolution) => {
      expect(changeOf(resolved({ twins: [twin] }, { ...ACCEPT, resolution, reasonCode: null })).event).toBe(resolution);
    },
  );
});

describe('is refused', () => {
  test.each<[string, Partial<WantedResolution>, string, string | null]>([
    [
      'an unknown code',
      { reasonCode: 'whim' },
      'There is no reason code "whim".',
      'Give one of: rounding, bank_charge, small_difference, service_error, next_period, booking_error, other.',
    ],
    [
      'a code that every object has as a name',
      { reasonCode: 'toString' },
      'There is no reason code "toString".',
      'Give one of: rounding, bank_charge, small_difference, service_error, next_period, booking_error, other.',
    ],
    [
      'a code of another resolution',
      { reasonCode: 'next_period' },
      'Reason code next_period goes with carry, not with accept.',
      'Of accept: rounding, bank_charge, small_difference, other.',
    ],
    [
      'a follow-up that is no day',
      { followUp: '2026-02-30' },
      'The follow-up "2026-02-30" is no day such as 2026-12-01.',
      null,
    ],
    [
      'no code',
      { reasonCode: null },
      'x-1: accept needs a reason code.',
      'Of accept: rounding, bank_charge, small_difference, other.',
    ],
    ['a missing comment', { reasonCode: 'other' }, 'x-1: reason code other needs a comment.', null],
    [
      'a missing reference',
      { ...CLAIM, reference: null },
      'x-1: reason code service_error needs a reference (at the start of the comment: "ref: CLM-7; text").',
      null,
    ],
    [
      'a missing follow-up',
      { ...CLAIM, followUp: null },
      'x-1: reason code service_error needs a day of follow-up.',
      null,
    ],
  ])('%s', (_, wanted, message, hint) => {
    expect(refusalOf(resolved({}, { ...ACCEPT, ...wanted }))).toMatchObject({ message, hint });
  });

  test('a missing attachment, where the code needs one', () => {
    const reasons = { proof: { resolution: null, account: null, needs: ['attachment'], approveAbove: {} } } as const;
    const judged = (attachments: WantedResolution['attachments']) =>
      resolve(actedOn(), { ...ACCEPT, reasonCode: 'proof', attachments }, { by: 'ben', reasons });
    expect(refusalOf(judged([])).message).toBe('x-1: reason code proof needs an attachment (--attach FILE).');
    expect(changeOf(judged([{ name: 'a', sha256: 'b' }])).after).toBe('resolved');
  });

  test.each(['match', 'undo_match'] as const)('a code that %s must not have', (resolution) => {
    expect(refusalOf(resolved({}, { ...ACCEPT, resolution })).reason).toBe('unknown_word');
  });

  test('what lies in a closed period, but a claim', () => {
    expect(refusalOf(resolved({ closedIn: { period: '2026-10', by: 'day' } }, ACCEPT)).message).toBe(
      'x-1 lies in period 2026-10, which is closed.',
    );
    expect(refusalOf(resolved({ closedIn: { period: '2026-11', by: 'resolution' } }, ACCEPT)).message).toBe(
      'x-1 was resolved in period 2026-11, which is closed.',
    );
    expect(changeOf(resolved({ closedIn: { period: '2026-10', by: 'day' } }, CLAIM)).after).toBe('resolved');
  });
});
