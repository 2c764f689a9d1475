import { expect, test } from 'vitest';
import { checkTarget, type ExaminedTarget } from '../../../../../cli/commands/doctor/target-check.ts';
import type { KnownTarget, OutboxDetail } from '../../../../../src/store/outbox.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const MINUTE_MS = 60_000;
const known: KnownTarget = {
  name: 'shop',
  environments: ['test'],
  kinds: ['refund'],
  when: 'confirmed',
  news: 'settled',
  events: null,
  present: true,
  states: {},
  oldestOpenAtMs: null,
  lately: null,
  disabledAtMs: null,
  heldAtMs: null,
  heldUntilMs: null,
  heldStatus: null,
  nudges: 0,
};
const target = (over: Partial<KnownTarget>, rest: Partial<ExaminedTarget> = {}): ExaminedTarget => ({
  ...{ name: 'shop', isConfigured: true, never: [], oldestFailing: null },
  known: { ...known, ...over },
  ...rest,
});
const waiting = (minutes: number) => ({ states: { waiting: 2 }, oldestOpenAtMs: NOW - minutes * MINUTE_MS });
const row = {
  webhookId: 'msg_1',
  outcome: 'lost',
  attempts: 2,
  createdAtMs: NOW,
  attemptsLog: [
    { outcome: 'refused', status: 500 },
    { outcome: 'lost', status: null },
  ],
} as unknown as OutboxDetail;

test.each<[string, ExaminedTarget, string, RegExp]>([
  ['nothing waits', target({}), 'ok', /^everything is handed on$/],
  ['news of just now', target(waiting(15)), 'ok', /^2 rows wait$/],
  ['late news', target(waiting(16)), 'warning', /^2 rows wait, the oldest for 16 min. Is serve running/],
  [
    'late news of the application',
    target(waiting(16), { name: 'app' }),
    'warning',
    /The application in the same process takes them/,
  ],
  ['a target that serve has not taken over', target({}, { known: null }), 'skipped', /^not taken over yet/],
  [
    'a name that comes back before serve starts',
    target({ present: false, states: { orphaned: 1 } }),
    'skipped',
    /^not taken over yet/,
  ],
  [
    'a target that is gone',
    target({ present: false, states: { orphaned: 1 } }, { isConfigured: false }),
    'warning',
    /^the configuration no longer names it, and 1 row is orphaned. Name it again .+ tallyhook outbox drop --target shop --state orphaned --yes/,
  ],
  [
    'a lost attempt',
    target({ states: { failing: 1 } }, { oldestFailing: row }),
    'warning',
    /^1 row fails: lost after 2 attempts since .+ See: tallyhook outbox show msg_1\. Try it: tallyhook forward test shop/,
  ],
  [
    'a call that the application rejects',
    target({ states: { failing: 1 } }, { name: 'app', oldestFailing: row }),
    'warning',
    /See: tallyhook outbox show msg_1\.$/,
  ],
  [
    'a kind that nothing confirms',
    target(waiting(16), { never: ['payout'] }),
    'warning',
    /^gets no news of payouts.+; 2 rows wait.+ Set service\.payoutPath/,
  ],
  [
    'dead letters behind a hold',
    target({ states: { dead: 1 }, heldAtMs: NOW, heldUntilMs: NOW + 1, heldStatus: 429 }),
    'failed',
    /^1 dead letter.+; held since .+answered 429.+ See: tallyhook outbox list --target shop --state dead\. To try at once/,
  ],
  [
    'a 410',
    target({ states: { failing: 1 }, disabledAtMs: NOW }),
    'failed',
    /^disabled since .+: it answered 410; 1 row waits. Once its application takes news again: tallyhook forward enable shop\.$/,
  ],
])('%s', (_case, examined, status, text) => {
  const { detail, hint = '', ...rest } = checkTarget(examined, NOW);
  expect(rest).toEqual({ name: `target ${examined.name}`, status });
  expect(hint === '' ? detail : `${detail}. ${hint}`).toMatch(text);
});
