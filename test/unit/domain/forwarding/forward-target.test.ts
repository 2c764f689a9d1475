import { expect, test } from 'vitest';
import {
  matchesEvent,
  selectsEvent,
  selectsMove,
  type TargetRules,
} from '../../../../src/domain/forwarding/forward-target.ts';

const target: TargetRules = {
  name: 'shop',
  environments: ['live'],
  kinds: ['refund', 'payout'],
  when: 'confirmed',
  news: 'settled',
  events: null,
};
const move = { kind: 'payout', environment: 'live', from: 'pending', to: 'success' } as const;

test.each([
  [move, {}, true],
  [{ ...move, from: null, to: 'pending' }, {}, false],
  [{ ...move, from: null, to: 'pending' }, { news: 'every' }, true],
  [{ ...move, from: 'success', to: 'pending' }, {}, true], // it leaves a settled status
  [{ ...move, from: 'success', to: 'reversed' }, {}, true],
  [{ ...move, to: null }, { news: 'every' }, false],
  [{ ...move, from: 'pending', to: 'on_hold' }, {}, false],
  [{ ...move, environment: 'test' }, {}, false],
  [{ ...move, kind: 'collection' }, {}, false],
  [move, { when: 'received' }, false],
] as const)('the move %j with %j: %s', (of, over, expected) => {
  expect(selectsMove({ ...target, ...over }, of)).toBe(expected);
});

const event = { event: 'refund.success', kind: 'refund', state: 'observed', environment: 'live' } as const;
const unknown = { event: 'dispute.opened', kind: 'unknown', state: 'unknown', environment: 'live' } as const;

test.each([
  [event, {}, true],
  [event, { when: 'confirmed' }, false],
  [event, { events: ['refund.failed'] }, false],
  [event, { events: ['refund.*'] }, true],
  [event, { events: ['refund.*'], kinds: ['payout'] }, false],
  [{ ...event, state: 'quarantined' }, { events: ['*'] }, false],
  [{ ...event, environment: 'test' }, {}, false],
  [unknown, {}, false],
  [unknown, { events: ['dispute.opened'] }, true],
  [unknown, { events: ['dispute.opened'], environments: ['test'] }, false],
] as const)('the event %j with %j: %s', (of, over, expected) => {
  expect(selectsEvent({ ...target, when: 'received', ...over }, of)).toBe(expected);
});

test.each([
  ['refund.success', 'refund.success', true],
  ['refund.success', 'refund.success2', false],
  ['refund.*', 'refund.', true],
  ['refund.*', 'refunds.x', false],
  ['*.success', 'refund.success', true],
  ['*.success', 'refund.successful', false],
  ['r*u*s', 'refund.success', true],
  ['ab*ba', 'aba', false], // no letter counts twice
  ['r*u*u*s', 'rus', false],
  ['r*u*u*s', 'ruus', true],
  ['*a*', 'a', true],
  ['*a*', 'b', false],
  ['*', 'anything', true],
])('%s on %s: %s', (pattern, name, expected) => {
  expect(matchesEvent(pattern, name)).toBe(expected);
});
