import { expect, test } from 'vitest';
import {
  type KnownException,
  movedByCarrying,
  movedByFinding,
  movedByMissing,
} from '../../../../src/domain/exceptions/sighting.ts';
import { EXCEPTION_STATES } from '../../../../src/domain/exceptions/words.ts';

const OPEN: KnownException = { status: 'open', evidence: 'e1', resolution: null, carriedUntil: null, isPaid: false };
const resolved = (over: Partial<KnownException>): KnownException => ({ ...OPEN, status: 'resolved', ...over });
const paid = { resolution: 'claim', isPaid: true } as const;

/** EVENT STATE, and whether the resolution holds on; `-`: nothing happens. */
const found = (known: KnownException | null, evidence = 'e1', from = '2026-11-01') =>
  shown(movedByFinding(known, evidence, from));
const shown = (moved: ReturnType<typeof movedByFinding>) =>
  moved === null ? '-' : `${moved.event} ${moved.after}${moved.keepsResolution ? ' keeps' : ''}`;

test('a new exception is open', () => {
  expect(found(null)).toBe('found open');
});

test.each(['open', 'assigned', 'reopened'] as const)(
  'one that is %s keeps its state, and is changed by other evidence',
  (status) => {
    expect(found({ ...OPEN, status })).toBe('-');
    expect(found({ ...OPEN, status }, 'e2')).toBe(`changed ${status}`);
  },
);

test.each(['accept', 'claim', 'carry', 'ours'] as const)(
  'what was resolved by %s is opened again by other evidence',
  (resolution) => {
    expect(found(resolved({ resolution }), 'e2')).toBe('changed reopened');
    expect(found(resolved({ resolution }))).toBe('-');
  },
);

test('a claim that was paid is closed while its evidence is the same, and stays closed', () => {
  expect(found(resolved(paid))).toBe('gone closed keeps');
  expect(found(resolved(paid), 'e2')).toBe('changed reopened');
  expect(found(resolved({ ...paid, resolution: 'accept' }))).toBe('-');
  expect(found({ ...OPEN, ...paid, status: 'closed' })).toBe('-');
  expect(found({ ...OPEN, ...paid, status: 'closed' }, 'e2')).toBe('returned reopened');
});

test('a closed one that is found again is opened again', () => {
  expect(found({ ...OPEN, status: 'closed' })).toBe('returned reopened');
  expect(found({ ...OPEN, status: 'closed', resolution: 'claim' })).toBe('returned reopened');
});

test.each([
  ['2026-10-31', '-'],
  ['2026-11-01', 'carried open'],
])('one that is carried until 31 October is found by a run from %s: %s', (from, expected) => {
  const carried = resolved({ resolution: 'carry', carriedUntil: '2026-10-31' });
  expect(found(carried, 'e1', from)).toBe(expected);
});

test('another resolution is not carried, whatever day it names', () => {
  expect(found(resolved({ resolution: 'accept', carriedUntil: '2026-10-31' }))).toBe('-');
  expect(found(resolved({ resolution: 'carry', carriedUntil: null }))).toBe('-');
});

test('one that is missing is closed with its resolution, once', () => {
  const missing = EXCEPTION_STATES.map((status) => shown(movedByMissing(status)));
  expect(missing).toEqual(['gone closed keeps', 'gone closed keeps', 'gone closed keeps', '-', 'gone closed keeps']);
});

test('a later run opens a carried one again, which must be resolved', () => {
  const carried = EXCEPTION_STATES.map((status) => shown(movedByCarrying(status)));
  expect(carried).toEqual(['-', '-', 'carried open', '-', '-']);
});
