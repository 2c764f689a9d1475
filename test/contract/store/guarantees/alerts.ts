import { expect } from 'vitest';
import { termsOf } from '../../../../src/alert/terms.ts';
import type { Condition } from '../../../../src/domain/alerts/alert.ts';
import type { STANDARD_SEVERITY } from '../../../../src/domain/alerts/alert-cause.ts';
import type { CauseTerms, Judgement } from '../../../../src/store/alerts.ts';
import { refund } from '../../../support/deliveries.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { only } from '../checking.ts';
import type { Handle } from '../handle.ts';
import type { Guarantee } from '../world.ts';

const MINUTE_MS = 60_000;
const LEASE_MS = MINUTE_MS;
const PAGE = { limit: 50, order: 'newest' } as const;
const TERMS = termsOf({
  ...{ name: null, coolDownMinutes: 60, remindHours: 24, webhook: null, mail: null, heartbeat: null, allowHttp: false },
  causes: { quarantined: { channels: ['log', 'webhook'] }, stuck: { severity: 'critical' } },
}) as Readonly<Record<keyof typeof STANDARD_SEVERITY, CauseTerms>>;

const stuck = (size = 1, subject = 'live'): Condition => ({ cause: 'stuck', subject, size, facts: { records: size } });
const quarantined: Condition = {
  cause: 'quarantined',
  subject: 'live',
  size: 2,
  facts: { events: 2, lastAtMs: START_MS },
};

async function judge(handle: Handle, conditions: readonly Condition[], over: Partial<Judgement> = {}) {
  const { alerts } = await handle.operations();
  return alerts.judge({ conditions, scope: ['stuck', 'quarantined'], terms: TERMS, marks: {}, ...over });
}

async function notices(
  handle: Handle,
  limit = 10,
  channels: readonly ('log' | 'webhook' | 'mail')[] = ['log', 'webhook'],
) {
  return (await handle.operations()).alerts.leaseNotices({ channels, limit, leaseMs: LEASE_MS });
}

async function finish(handle: Handle, { id, attempt }: { id: number; attempt: number }, error: string | null = null) {
  return (await handle.operations()).alerts.finishNotice({ id, attempt, error });
}

const all = async (handle: Handle) => (await handle.archive()).alerts({ closed: true }, PAGE);

/** One alert per cause and subject; every notice reaches its channel once, unless its sender is lost. */
export const ALERTS: readonly Guarantee[] = [
  {
    guarantee: 'of processes that judge the same at the same time one tells, and one sends',
    async prove(world) {
      const handles = [world.here, world.there, world.here, world.there];
      const counts = await Promise.all(handles.map((handle) => judge(handle, [stuck()])));
      expect(counts.map(({ opened }) => opened).toSorted()).toEqual([0, 0, 0, 1]);
      expect(counts.every(({ open }) => open === 1)).toBe(true);
      const leased = (await Promise.all(handles.map((handle) => notices(handle)))).flat();
      expect(only(leased)).toMatchObject({
        channel: 'log',
        change: 'opened',
        alert: { cause: 'stuck', severity: 'critical' },
      });
      expect(await finish(world.there, only(leased))).toBe(true);
      world.clock.ms += 10 * LEASE_MS;
      expect(await notices(world.here)).toEqual([]);
    },
  },
  {
    guarantee: 'an alert that opens again is the same one, counted; what is out of scope stays as it is',
    async prove(world) {
      await judge(world.here, [stuck(), quarantined]);
      world.clock.ms += MINUTE_MS;
      expect(await judge(world.here, [], { scope: ['stuck'] })).toMatchObject({ recovered: 1, open: 1 });
      world.clock.ms += MINUTE_MS;
      expect(await judge(world.there, [stuck(7), quarantined])).toMatchObject({ opened: 0, open: 2 });
      const alerts = await all(world.there);
      expect(
        alerts.map(({ id, cause, openings, size, closedAtMs }) => ({ id, cause, openings, size, closedAtMs })),
      ).toEqual([
        { id: 2, cause: 'quarantined', openings: 1, size: 2, closedAtMs: null },
        { id: 1, cause: 'stuck', openings: 2, size: 7, closedAtMs: null },
      ]);
      expect(alerts[1]).toMatchObject({
        openedAtMs: START_MS + 2 * MINUTE_MS,
        noticedAtMs: START_MS,
        facts: { records: 7 },
      });
    },
  },
  {
    guarantee: 'a notice whose sender is lost is sent by another, and the lost one ends nothing',
    async prove(world) {
      await judge(world.here, [stuck()]);
      const lost = only(await notices(world.here));
      world.clock.ms += LEASE_MS - 1;
      expect(await notices(world.there)).toEqual([]);
      world.clock.ms += 1;
      const again = only(await notices(world.there));
      expect(again).toMatchObject({ id: lost.id, attempt: lost.attempt + 1 });
      expect(await finish(world.here, lost)).toBe(false);
      expect(await finish(world.there, again)).toBe(true);
      expect(await finish(world.there, again)).toBe(false);
    },
  },
  {
    guarantee: 'a channel that fails is tried again later, and delays no other channel',
    async prove(world) {
      await judge(world.here, [quarantined]);
      const chat = only(await notices(world.here, 1, ['webhook']));
      await finish(world.here, chat, 'answered 500');
      expect(await notices(world.here, 10, ['webhook'])).toEqual([]);
      expect(only(await notices(world.here)).channel).toBe('log');
      world.clock.ms += MINUTE_MS;
      expect(only(await notices(world.there, 10, ['webhook']))).toMatchObject({ id: chat.id, attempt: 2 });
      const detail = await (await world.there.archive()).alert(chat.alert.id);
      expect(detail?.notices.find(({ channel }) => channel === 'webhook')).toMatchObject({
        ...{ state: 'waiting', attempts: 2, error: 'answered 500' },
      });
    },
  },
  {
    guarantee: 'what recovers before it was told is not told, and what is told late is told as it stands',
    async prove(world) {
      await judge(world.here, [stuck(), stuck(1, 'test')]);
      world.clock.ms += MINUTE_MS;
      await judge(world.here, [stuck(4)]);
      const notice = only(await notices(world.here));
      expect(notice).toMatchObject({ change: 'opened', alert: { subject: 'live', size: 4 } });
    },
  },
  {
    guarantee: 'a silenced alert is judged, and told when the silence is over or ended',
    async prove(world) {
      await judge(world.here, [stuck()]);
      await finish(world.here, only(await notices(world.here)));
      const { alerts } = await world.there.operations();
      const untilMs = START_MS + 300 * MINUTE_MS;
      expect(await alerts.silence({ id: 1, untilMs })).toMatchObject({ id: 1, silencedUntilMs: untilMs });
      expect(await alerts.silence({ id: 99, untilMs })).toBeNull();
      world.clock.ms += 200 * MINUTE_MS;
      expect(await judge(world.here, [stuck(5)])).toMatchObject({ again: 0, open: 1 });
      expect(only(await all(world.here))).toMatchObject({ size: 5, silencedUntilMs: untilMs });
      await alerts.silence({ id: 1, untilMs: null });
      expect(await judge(world.here, [stuck(5)])).toMatchObject({ again: 1 });
    },
  },
  {
    guarantee: 'alerts are listed by cause, severity and state, page by page, and counted for the metrics',
    async prove(world) {
      await judge(world.here, [stuck(), stuck(1, 'test'), quarantined]);
      await judge(world.here, [stuck(), quarantined]);
      const archive = await world.there.archive();
      const causes = async (
        filter: Parameters<typeof archive.alerts>[0],
        page: Partial<Parameters<typeof archive.alerts>[1]> = {},
      ) => (await archive.alerts(filter, { ...PAGE, ...page })).map(({ id }) => id);
      expect(await causes({ closed: false })).toEqual([3, 1]);
      expect(await causes({ closed: true }, { order: 'oldest', limit: 2 })).toEqual([1, 2]);
      expect(await causes({ closed: true }, { afterId: 3 })).toEqual([2, 1]);
      expect(await causes({ closed: true, causes: ['stuck'] })).toEqual([2, 1]);
      expect(await causes({ closed: true, severities: ['warning'] })).toEqual([3]);
      expect(await archive.countAlerts({ closed: false, severities: ['critical'] })).toBe(1);
      expect(await archive.alert(99)).toBeNull();
      const { alerts } = await archive.systemState({ stuckBeforeMs: 0 });
      expect(alerts.toSorted((one, other) => one.cause.localeCompare(other.cause))).toEqual([
        { cause: 'quarantined', severity: 'warning', open: 1 },
        { cause: 'stuck', severity: 'critical', open: 1 },
      ]);
    },
  },
  {
    guarantee: 'the signals are the refusals by reason, new quarantined events, the keys that verified, and the marks',
    ownTime: true,
    async prove(world) {
      const odd = { ...refund('R1', 'pending'), body: Buffer.from('{"notify":"refund"}') };
      await world.receive(refund('R2', 'pending'), { ...odd, keyId: 'old', receivedAtMs: START_MS + 5 });
      await world.receive({ ...odd, body: Buffer.from('{"notify":"refund","x":1}'), receivedAtMs: START_MS - 1 });
      const inbox = await world.there.inbox();
      const refusal = {
        ...{ likeness: 'other' as const, environments: [], count: 3, firstAtMs: START_MS, lastAtMs: START_MS + 9 },
      } as const;
      inbox.countRefusals([{ ...refusal, path: '/webhooks', lastPath: '/webhooks', reason: 'body_too_large' }], []);
      inbox.countRefusals(
        [{ ...refusal, path: '/webhooks/live', lastPath: '/webhooks/live', reason: 'body_too_large' }],
        [],
      );
      await world.there.close();
      const mark = { sinceMs: START_MS, base: 7, burstAtMs: null, rose: 0 };
      await judge(world.here, [], { marks: { bad_signatures: mark } });
      const { quarantined: events, ...signals } = await (await world.here.archive()).signals({
        sinceMs: START_MS,
        keys: true,
      });
      expect(signals.refused).toEqual([{ reason: 'body_too_large', count: 6, lastAtMs: START_MS + 9 }]);
      expect(signals.marks).toEqual({ bad_signatures: mark });
      expect(events).toEqual([{ environment: odd.environment, events: 1, lastAtMs: START_MS + 5 }]);
      expect(signals.keysUsed.find(({ keyId }) => keyId === 'old')).toEqual({
        keyId: 'old',
        events: 1,
        lastAtMs: START_MS + 5,
      });
      expect((await (await world.here.archive()).signals({ sinceMs: START_MS, keys: false })).keysUsed).toEqual([]);
    },
  },
];
