import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KEPT_KINDS, REQUEST_STATES } from '../../../../src/domain/requests/request.ts';
import {
  begunRequest,
  type RequestFacts,
  requestKey,
  requestObservation,
  settledRequest,
} from '../../../../src/domain/requests/request-state.ts';

const known: RequestFacts = {
  key: 'K1',
  reference: 'TX1',
  contentDigest: 'd1',
  state: 'open',
  recordReference: null,
  createdAtMs: 100,
  settledAtMs: null,
  refusal: null,
  attempts: 2,
};
const intent = { kind: 'refund', reference: 'TX1', contentDigest: 'd1', nowMs: 500 } as const;
const ANEW = { state: 'open', createdAtMs: 500, settledAtMs: null, refusal: null, attempts: 1 };
const refusal = { httpStatus: 422, message: 'Only 30.00 is left.' };
const refused = { ...known, state: 'refused', settledAtMs: 200, recordReference: 'R1', refusal } as const;

test.each([
  ['its own', 'own', 'open', 'accepted', 'own'],
  ['the open request of the same content', null, 'open', 'accepted', 'open'],
  ['the accepted one', null, null, 'accepted', 'accepted'],
  ['the proposed one', null, null, null, 'proposed'],
])('a request goes under %s', (_, key, open, accepted, expected) => {
  const keys = { open, accepted };
  expect(requestKey({ key, proposedKey: 'proposed' }, (state) => keys[state])).toBe(expected);
});

describe('a request begins', () => {
  const begun = (before: RequestFacts | null, over: object = {}) => begunRequest(before, 'K1', { ...intent, ...over });

  test('for the first time', () => {
    expect(begun(null)).toEqual({ ...known, ...ANEW });
  });

  test.each(['open', 'accepted'] as const)('again while %s: an attempt more', (state) => {
    expect(begun({ ...known, state })).toEqual({ ...known, state, attempts: 3 });
  });

  test.each(KEPT_KINDS)('anew after a refusal, a %s with the same content', (kind) => {
    expect(begun(refused, { kind })).toEqual({ ...refused, ...ANEW });
  });

  test.each([
    ['payout', 'refused', true],
    ['collection', 'refused', true],
    ['refund', 'refused', false],
    ['refund', 'open', false],
    ['payout', 'open', false],
    ['payout', 'accepted', false],
    ['collection', 'accepted', false],
  ] as const)('a %s that is %s, with other content: anew %s, else unchanged', (kind, state, isAnew) => {
    const before = { ...known, state };
    const after = begun(before, { kind, contentDigest: 'd2' });
    expect(after).toEqual(isAnew ? { ...before, ...ANEW, contentDigest: 'd2' } : before);
  });
});

describe('a request is settled', () => {
  const settle = (
    before: RequestFacts,
    state: RequestFacts['state'],
    attempts = 2,
    reference: string | null = null,
  ) => {
    const record =
      reference === null ? null : ({ kind: 'refund', environment: 'test', reference, wire: {}, nowMs: 0 } as const);
    return settledRequest(before, { state, attempts, refusal, record, nowMs: 500 });
  };
  const accepted = { ...known, state: 'accepted', recordReference: 'R1', settledAtMs: 200 } as const;

  test.each([
    ['accepted', known, 'accepted', 2, 500],
    ['refused', known, 'refused', 2, 500],
    ['still open', known, 'open', 2, null],
    ['accepted after a refusal', refused, 'accepted', 2, 500],
    ['accepted by an earlier attempt', known, 'accepted', 1, 500],
    ['accepted once more', accepted, 'accepted', 2, 500],
  ] as const)('%s', (_, before, state, attempts, settledAtMs) => {
    expect(settle(before, state, attempts)).toEqual({
      ...before,
      state,
      settledAtMs,
      refusal: state === 'refused' ? refusal : null,
    });
  });

  test.each([
    ['a refusal of an earlier attempt', known, 'refused', 1],
    ['a refusal after acceptance', accepted, 'refused', 2],
    ['an unknown outcome after acceptance', accepted, 'open', 2],
  ] as const)('not by %s', (_, before, state, attempts) => {
    expect(settle(before, state, attempts)).toBeNull();
  });

  test('the record of the answer is kept, and a later answer without one leaves it', () => {
    expect(settle(known, 'accepted', 2, 'R2')?.recordReference).toBe('R2');
    expect(settle(accepted, 'accepted')?.recordReference).toBe('R1');
  });
});

test('in any order: attempts only grow until it begins anew, and an accepted request stays accepted, with its content', () => {
  const step = fc.record({
    begins: fc.boolean(),
    contentDigest: fc.constantFrom('d1', 'd2'),
    state: fc.constantFrom(...REQUEST_STATES),
    attempts: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(fc.constantFrom(...KEPT_KINDS), fc.array(step, { maxLength: 20 }), (kind, steps) => {
      let request = begunRequest(null, 'K1', { ...intent, kind });
      for (const [index, { begins, contentDigest, state, attempts }] of steps.entries()) {
        const nowMs = 600 + index;
        const before = request;
        if (begins) request = begunRequest(before, 'K1', { kind, reference: 'TX1', contentDigest, nowMs });
        else request = settledRequest(before, { state, attempts, refusal, record: null, nowMs }) ?? before;
        expect(request.attempts).toBeGreaterThan(0);
        expect(request.settledAtMs === null).toBe(request.state === 'open');
        expect(request.refusal !== null).toBe(request.state === 'refused');
        if (before.state === 'accepted') expect(request.state).toBe('accepted');
        if (request.createdAtMs === before.createdAtMs) {
          expect(request.contentDigest).toBe(before.contentDigest);
          expect(request.attempts).toBeGreaterThanOrEqual(before.attempts);
        } else expect([before.state, request.state, request.attempts]).toEqual(['refused', 'open', 1]);
        if (kind === 'refund') expect(request.contentDigest).toBe('d1');
      }
    }),
  );
});

test('the same answer is the same observation, however it is written', () => {
  const record = { kind: 'payout', environment: 'test', reference: 'P1' } as const;
  const one = requestObservation({ ...record, wire: { status: 'pending', currency: 'NGN' } }, 'UTC');
  const other = requestObservation({ ...record, wire: { currency: 'NGN', status: 'pending' } }, 'UTC');
  expect(other.observation).toEqual(one.observation);
  expect(one).toMatchObject({
    ...{ reference: 'P1', eventId: null },
    observation: { witness: 'request', eventKey: '', answer: null },
  });
  const failed = requestObservation({ ...record, wire: { status: 'failed', currency: 'NGN' } }, 'UTC');
  expect(failed.observation.identity).not.toBe(one.observation.identity);
});

test('a refusal keeps a thousand characters of its message, well-formed, and none where there is none', () => {
  const kept = (message: string | null) =>
    settledRequest(known, {
      ...{ state: 'refused', attempts: 2, record: null, nowMs: 500 },
      refusal: { httpStatus: 422, message },
    })?.refusal;
  expect([1_000, 1_001].map((length) => kept('x'.repeat(length))?.message?.length)).toEqual([1_000, 1_000]);
  expect(kept(`${'x'.repeat(999)}😀`)?.message).toBe(`${'x'.repeat(999)}\ufffd`);
  expect(kept(null)).toEqual({ httpStatus: 422, message: null });
  const without = settledRequest(known, { state: 'refused', attempts: 2, refusal: null, record: null, nowMs: 500 });
  expect(without).toMatchObject({ state: 'refused', refusal: null });
});
