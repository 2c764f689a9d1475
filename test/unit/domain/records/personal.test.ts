import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RECORD_FIELDS, type Stated } from '../../../../src/domain/events/stated.ts';
import type { Fields } from '../../../../src/domain/records/fields.ts';
import { RECORD_KINDS, type RecordKind } from '../../../../src/domain/records/lifecycle.ts';
import type { Observation } from '../../../../src/domain/records/observation.ts';
import { fold, type RecordState } from '../../../../src/domain/records/observe.ts';
import { PERSONAL_FIELDS } from '../../../../src/domain/records/personal.ts';
import { leastMet, randomRuns } from '../../../support/random-runs.ts';
import { api, observationSets, other, textOf, webhook } from '../observations.ts';

const emptied = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, names.includes(name) ? null : value]));

/** What pruning leaves of an observation. */
function withoutPersonal(kind: RecordKind, stated: Stated): Stated {
  const { facts, details } = PERSONAL_FIELDS[kind];
  return { ...stated, facts: emptied(stated.facts, facts), details: emptied(stated.details, details) };
}

const pruned = (kind: RecordKind, set: readonly Observation[]): Observation[] =>
  set.map((one) => ({ ...one, stated: withoutPersonal(kind, one.stated) }));

/** A state as it would be without the personal fields, which is all that pruning may change. */
function blanked(kind: RecordKind, state: RecordState): RecordState {
  const of = (group: 'facts' | 'details') => emptied(state[group], PERSONAL_FIELDS[kind][group]);
  const stated = (one: RecordState['reported']) => one && { ...one, details: null };
  return {
    ...state,
    facts: of('facts'),
    details: of('details'),
    reported: stated(state.reported),
    confirmed: stated(state.confirmed),
  };
}

test('the personal fields are fields of their kind', () => {
  for (const kind of RECORD_KINDS) {
    for (const group of ['facts', 'details'] as const) {
      expect(Object.keys(RECORD_FIELDS[kind][group])).toEqual(
        expect.arrayContaining([...PERSONAL_FIELDS[kind][group]]),
      );
    }
  }
});

test.each(RECORD_KINDS)('folding a pruned %s gives the same statuses, amounts and findings', (kind) => {
  let settled = 0;
  fc.assert(
    fc.property(observationSets(kind, 8), (set) => {
      const full = fold(kind, set);
      // What is personal and immutable may disagree; then there is a finding, and such a record is not pruned.
      const personal: readonly string[] = PERSONAL_FIELDS[kind].facts;
      if (full.findings.some(({ code, subject }) => code === 'fact_conflict' && personal.includes(subject))) return;
      settled++;
      const after = fold(kind, pruned(kind, set));
      expect(textOf(blanked(kind, after))).toBe(textOf(blanked(kind, full)));
      expect(textOf(fold(kind, pruned(kind, pruned(kind, set))))).toBe(textOf(after));
    }),
    { numRuns: randomRuns(600) },
  );
  expect(settled).toBeGreaterThan(leastMet(100));
});

test.each(RECORD_KINDS)('news of a pruned %s is folded as if nothing had been pruned', (kind) => {
  fc.assert(
    fc.property(observationSets(kind, 8), fc.nat(8), (set, old) => {
      const full = fold(kind, set);
      const personal: readonly string[] = PERSONAL_FIELDS[kind].facts;
      const findings = full.findings.filter(({ subject }) => !personal.includes(subject));
      const mixed = fold(kind, [...pruned(kind, set.slice(0, old)), ...set.slice(old)]);
      const found = mixed.findings.filter(({ subject }) => !personal.includes(subject));
      expect(textOf(blanked(kind, { ...mixed, findings: found }))).toBe(textOf(blanked(kind, { ...full, findings })));
    }),
    { numRuns: randomRuns(600) },
  );
});

test('pruning removes the personal fields and no others', () => {
  const paidOut = {
    account_number: '0123456789',
    account_name: 'Ada',
    narration: 'Wages',
    sessionid: 'S1',
    fee: '1.00',
    amount: '5',
  };
  const collected = {
    customer: { email: 'ada@example.com' },
    channel: 'card',
    requested_amount: '5',
    gateway_response: 'Approved',
  };
  const [payout, collection] = [webhook('payout', 'success', paidOut), api('collection', 1, 'success', collected)];
  const left = (kind: RecordKind, { stated }: Observation) => {
    const { facts, details } = withoutPersonal(kind, stated);
    return Object.entries({ ...facts, ...details }).flatMap(([name, value]) => (value === null ? [] : [name]));
  };
  expect(left('payout', payout)).toEqual(['amount', 'fee', 'sessionId']);
  expect(left('collection', collection)).toEqual(['requestedAmount', 'channel', 'gatewayResponse']);
  const refund = other('refund', 'list', '1', { status: 'success', amount: '5' });
  expect(withoutPersonal('refund', refund.stated)).toEqual(refund.stated);
});
