import { expect, test } from 'vitest';
import { ALERT_CAUSES } from '../../../src/domain/alerts/alert-cause.ts';
import { NODE_ROLES } from '../../../src/domain/cluster/node-role.ts';
import type { AlertFactsNow } from '../../../src/jobs/alert-facts.ts';
import { conditionsOf } from '../../../src/jobs/conditions.ts';
import { EVERYTHING_WRONG, EXAMPLES, NOW_MS, STUCK_RECORDS } from '../../support/alert-examples.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WELL: AlertFactsNow = {
  ...EVERYTHING_WRONG,
  ...{
    problems: [],
    unconfirmed: [],
    clockOffsetMs: 0,
    serve: { pid: 7, database: '1:2', roles: NODE_ROLES, outage: null, behindFault: null },
  },
  books: { unexplained: [], missing: [], overdue: [], late: [] },
  signals: { refused: [], quarantined: [], keysUsed: [], marks: {}, logins: null, resets: null },
};
const causesOf = (over: Partial<AlertFactsNow>) =>
  conditionsOf({ ...WELL, ...over }).conditions.map(({ cause }) => cause);
const signals = (over: Partial<AlertFactsNow['signals']>) => ({ signals: { ...WELL.signals, ...over } });
const endsIn = (ms: number) =>
  ({
    ...signals({ keysUsed: [{ keyId: 'live-1', events: 1, lastAtMs: NOW_MS }] }),
    keyPairs: EVERYTHING_WRONG.keyPairs.map((pair) =>
      pair.id === 'live-1' ? { ...pair, notAfter: new Date(NOW_MS + ms).toISOString() } : pair,
    ),
  }) satisfies Partial<AlertFactsNow>;

test('when everything is wrong every cause has its condition, and all are judged', () => {
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(ALERT_CAUSES.toSorted());
  expect(conditionsOf(EVERYTHING_WRONG).scope).toEqual(ALERT_CAUSES);
});

test('who does not expect `serve` does not judge whether it runs, so an open alert of it stays', () => {
  expect(conditionsOf({ ...WELL, expectServe: false }).scope).toEqual(
    ALERT_CAUSES.filter((cause) => cause !== 'serve_not_running'),
  );
});

test('what follows from a cause is not judged while that holds, so an open alert of it stays', () => {
  const { scope } = conditionsOf({ ...WELL, eclipsed: ['job_failed', 'disk_low'] });
  expect(ALERT_CAUSES.filter((cause) => !scope.includes(cause))).toEqual(['disk_low', 'job_failed']);
});

test('where no serve answered, whether deliveries are kept is not judged', () => {
  const { scope, conditions } = conditionsOf({ ...WELL, serve: null });
  expect([scope.includes('not_kept'), conditions]).toEqual([false, []]);
});

test('an outage that is over is told with its count, from and to', () => {
  const outage = { fault: 'busy', fromMs: NOW_MS - 90_000, lastAtMs: NOW_MS - 60_000, deliveries: 412 };
  const serve = {
    pid: 7,
    database: '1:2',
    roles: NODE_ROLES,
    behindFault: null,
    outage: { ...outage, keptAgainAtMs: NOW_MS - 59_000 },
  };
  expect(conditionsOf({ ...WELL, serve }).conditions).toEqual([
    {
      ...{ cause: 'not_kept', subject: '', size: 412, reason: 'busy' },
      facts: { ...outage, toMs: NOW_MS - 60_000 },
      over: { fromMs: NOW_MS - 90_000, toMs: NOW_MS - 60_000 },
    },
  ]);
});

test('when all is well nothing is told', () => {
  expect(causesOf({})).toEqual([]);
});

test('cause and subject are unique, so that each has one alert', () => {
  const keys = conditionsOf(EVERYTHING_WRONG).conditions.map(({ cause, subject }) => `${cause} ${subject}`);
  expect(new Set(keys).size).toBe(keys.length);
});

test('sizes and facts are those of the facts: stuck findings are no disagreement, and kinds add up', () => {
  expect(EXAMPLES.stuck).toMatchObject({ subject: 'live', size: STUCK_RECORDS });
  expect(EXAMPLES.variant).toMatchObject({ subject: 'live', size: 2 });
  expect(EXAMPLES.disagreement).toMatchObject({ size: 5, facts: { codes: '4 absent, 1 tie' } });
  expect(EXAMPLES.bad_signatures).toMatchObject({ size: 29 });
});

test.each<[string, Partial<AlertFactsNow>, readonly string[]]>([
  [
    'a 413 is told for six hours',
    signals({ refused: [{ reason: 'body_too_large', count: 1, lastAtMs: NOW_MS - 6 * HOUR_MS }] }),
    ['body_too_large'],
  ],
  [
    'and no longer',
    signals({ refused: [{ reason: 'body_too_large', count: 1, lastAtMs: NOW_MS - 6 * HOUR_MS - 1 }] }),
    [],
  ],
  [
    'other refusals are none of these',
    signals({ refused: [{ reason: 'unknown_path', count: 999, lastAtMs: NOW_MS }] }),
    [],
  ],
  ['a clock that is 30 s off is not told', { clockOffsetMs: 30_000 }, []],
  ['one that is more is, ahead', { clockOffsetMs: 30_001 }, ['clock_off']],
  ['and behind', { clockOffsetMs: -30_001 }, ['clock_off']],
  [
    'an endpoint that is not there is not unproven',
    { unconfirmed: [{ ...(EVERYTHING_WRONG.unconfirmed[0] as never as object), because: 'unconfirmable' } as never] },
    [],
  ],
  ['an old key in use, three days before its end', endsIn(3 * DAY_MS), ['old_key_used']],
  ['earlier it may be in use', endsIn(3 * DAY_MS + 1), []],
  ['an old key without deliveries', { ...endsIn(HOUR_MS), ...signals({}) }, []],
  [
    'the only key is told as one that ends',
    { ...endsIn(HOUR_MS), keyPairs: EVERYTHING_WRONG.keyPairs.slice(0, 1) },
    [],
  ],
])('%s', (_, over, causes) => {
  expect(causesOf(over)).toEqual(causes);
});

test('what could not be read is not judged, so its alerts do not recover', () => {
  expect(conditionsOf({ ...WELL, clockOffsetMs: null }).scope).not.toContain('clock_off');
  expect(conditionsOf({ ...WELL, clockOffsetMs: null }).scope).toHaveLength(ALERT_CAUSES.length - 1);
  const books = { ...WELL.books, overdue: null };
  expect(conditionsOf({ ...WELL, books }).scope).toEqual(
    ALERT_CAUSES.filter((cause) => cause !== 'exceptions_overdue'),
  );
});
