import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { randomRuns } from '../../../../support/random-runs.ts';
import { payout, TestDatabase } from '../../../../support/test-database.ts';

// Several contents under one event key, some of which name the other environment. The expectations are written from decisions 16
// and 20: no arrival has privilege, contents that disagree state no status, and a contradicted environment is visible.

const CLEAN = payout('P1', 'success');
const OTHER_CLEAN = payout('P1', 'success', { data: { narration: 'Invoice 17' } });
const LIVE = payout('P1', 'success', { data: { domain: 'live' } });
const LIVE_TOO = payout('P1', 'success', { data: { domain: 'LIVE', narration: 'Invoice 17' } });

let db: TestDatabase;
afterEach(() => db.remove());

/** What a person sees of the event and its record, after the deliveries in this order; `pauses`: applied after each of these. */
function shown(order: readonly (typeof CLEAN)[], pauses: readonly boolean[] = []) {
  db = new TestDatabase();
  for (const [index, delivery] of order.entries()) {
    db.keep(delivery);
    if (pauses[index] === true) db.apply();
  }
  db.apply();
  const rows = (sql: string) => db.database.prepare(sql).all();
  return {
    events: rows('SELECT state, quarantine, status, deliveries FROM events'),
    variants: rows('SELECT count(*) AS count FROM variants'),
    records: rows('SELECT environment, reference, reported, amount_minor FROM payouts'),
    observations: rows('SELECT count(*) AS count FROM observations'),
    findings: rows('SELECT code, subject, detail FROM findings WHERE closed_at IS NULL ORDER BY code'),
  };
}

const SUBJECT = 'payout.successful 2026-11-20T09:00:00Z';
const CONTRADICTION = { code: 'contradiction', subject: SUBJECT, detail: 'a content names the other environment' };

test.each([
  ['the clean one first', [CLEAN, LIVE]],
  ['the contradicting one first', [LIVE, CLEAN]],
])('of two contents one names the other environment, %s: a finding, and no status', (_, order) => {
  expect(shown(order)).toEqual({
    events: [{ state: 'observed', quarantine: null, status: null, deliveries: 2 }],
    variants: [{ count: 1 }],
    records: [{ environment: 'test', reference: 'P1', reported: null, amount_minor: 10_000 }],
    observations: [{ count: 2 }],
    findings: [CONTRADICTION, { code: 'variant', subject: SUBJECT, detail: '2 contents state none, success' }],
  });
});

test('in every order and with any pauses the event and its record are shown the same', () => {
  const contents = [CLEAN, OTHER_CLEAN, LIVE, LIVE_TOO, LIVE];
  const expected = shown(contents);
  db.remove();
  expect(expected.findings).toContainEqual(CONTRADICTION);
  const order = fc.shuffledSubarray(contents, { minLength: contents.length });
  fc.assert(
    fc.property(order, fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), (arrivals, pauses) => {
      expect(shown(arrivals, pauses)).toEqual(expected);
      db.remove();
    }),
    { numRuns: randomRuns(40) },
  );
  db = new TestDatabase();
});

test('contents that all name the other environment stay quarantined, and make no record', () => {
  expect(shown([LIVE, LIVE_TOO])).toEqual({
    events: [{ state: 'quarantined', quarantine: 'other_environment', status: null, deliveries: 2 }],
    variants: [{ count: 1 }],
    records: [],
    observations: [{ count: 0 }],
    findings: [],
  });
});
