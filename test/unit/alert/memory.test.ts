import { expect, test } from 'vitest';
import { AlertMemory } from '../../../src/alert/memory.ts';
import { termsOf } from '../../../src/alert/terms.ts';
import type { Condition } from '../../../src/domain/alerts/alert.ts';
import type { Alert } from '../../../src/store/alerts.ts';

const MINUTE_MS = 60_000;
const TERMS = termsOf({
  ...{ name: null, coolDownMinutes: 60, remindHours: 24, webhook: null, mail: null, heartbeat: null, allowHttp: false },
  causes: {},
});
const notKept = (size = 1): Condition => ({ cause: 'not_kept', subject: '', size, facts: { deliveries: size } });
const lowDisk: Condition = { cause: 'disk_low', subject: '', size: 1, facts: {} };

function world() {
  const clock = { ms: 1_000_000, nowMs: () => clock.ms };
  const memory = new AlertMemory(clock);
  const judge = (...conditions: readonly Condition[]) =>
    memory.judge({ conditions, scope: ['not_kept', 'disk_low'], terms: TERMS, marks: {} });
  const lease = () => memory.leaseNotices({ channels: ['log'], limit: 10, leaseMs: MINUTE_MS });
  const told = async () => {
    const notices = await lease();
    for (const { id, attempt } of notices) await memory.finishNotice({ id, attempt, error: null });
    return notices.map(({ change, alert }) => `${change} ${alert.cause} ${alert.size}`);
  };
  return { clock, memory, judge, lease, told };
}

test('an alert is told once from memory, and its recovery', async () => {
  const { clock, judge, told } = world();
  expect(await judge(notKept())).toEqual({ opened: 1, again: 0, recovered: 0, open: 1 });
  expect(await told()).toEqual(['opened not_kept 1']);
  clock.ms += MINUTE_MS;
  await judge(notKept(99));
  expect(await told()).toEqual([]);
  await judge();
  expect(await told()).toEqual(['recovered not_kept 99']);
});

test('what the store had told is not told again, and its recovery is', async () => {
  const { clock, memory, judge, told } = world();
  const known: Alert = {
    ...{ ...lowDisk, id: 8, severity: 'critical', openedAtMs: 1, closedAtMs: null, seenAtMs: 1, openings: 1 },
    ...{ noticedAtMs: clock.ms - 1, noticedSize: 1, noticedReasons: {}, silencedUntilMs: null },
  };
  memory.begin([known]);
  await judge(lowDisk, notKept());
  expect(await told()).toEqual(['opened not_kept 1']);
  await judge(notKept());
  expect(await told()).toEqual(['recovered disk_low 1']);
  expect(memory.counts()).toEqual([{ cause: 'not_kept', severity: 'critical', open: 1 }]);
  expect(memory.told().map(({ cause, closedAtMs }) => [cause, closedAtMs])).toEqual([
    ['disk_low', clock.ms],
    ['not_kept', null],
  ]);
});

test('once handed over, it begins with what the store has', async () => {
  const { memory, judge, told } = world();
  await judge(notKept());
  await told();
  expect(memory.isEmpty).toBe(false);
  memory.begin([]);
  await judge(notKept());
  expect(await told()).toEqual([]); // not taken for new
  memory.handedOver();
  expect([memory.isEmpty, memory.told()]).toEqual([true, []]);
});

test('a notice that no channel took is tried again after a minute, under a new attempt', async () => {
  const { clock, memory, judge, lease } = world();
  await judge(notKept());
  const [first] = await lease();
  expect(await lease()).toEqual([]); // leased
  expect(await memory.finishNotice({ id: first?.id ?? 0, attempt: 1, error: 'no connection' })).toBe(true);
  expect(await lease()).toEqual([]);
  clock.ms += MINUTE_MS;
  const [second] = await lease();
  expect([second?.id, second?.attempt]).toEqual([first?.id, 2]);
  expect(await memory.finishNotice({ id: first?.id ?? 0, attempt: 1, error: null })).toBe(false);
});

test('a condition that is over is told once, as a recovery', async () => {
  const { judge, told } = world();
  const over = { ...notKept(412), over: { fromMs: 5, toMs: 9 } };
  await judge(over);
  expect(await told()).toEqual(['recovered not_kept 412']);
  await judge(over);
  expect(await told()).toEqual([]);
});
