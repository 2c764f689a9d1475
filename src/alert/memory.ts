import {
  type AlertChange,
  type AlertState,
  afterCondition,
  afterRecovery,
  type Judged,
} from '../domain/alerts/alert.ts';
import type { AlertChannel } from '../domain/alerts/alert-cause.ts';
import { afterFailure, besideWaiting } from '../domain/alerts/alert-notice.ts';
import type { Alert, Alerts, JudgedCounts, Judgement, LeasedNotice } from '../store/alerts.ts';
import type { AlertCount } from '../store/system-state.ts';
import type { Clock } from '../time/clock.ts';

interface MemoryNotice {
  readonly id: number;
  readonly key: string;
  readonly channel: AlertChannel;
  readonly change: AlertChange;
  readonly madeAtMs: number;
  attempts: number;
  dueAtMs: number;
  leasedUntilMs: number | null;
}

/**
 * Alerts and their notices in memory, for the time in which the store takes no write: a full disk must be told too. Judged by the same
 * rules; what was told here is handed to the store (`told`) once it can be written, so that it is not told twice.
 */
export class AlertMemory implements Pick<Alerts, 'judge' | 'leaseNotices' | 'finishNotice'> {
  readonly #clock: Clock;
  readonly #alerts = new Map<string, Alert>();
  /** Judged here, and not yet handed over. */
  readonly #changed = new Set<string>();
  #notices: MemoryNotice[] = [];
  #nextId = 1;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True while nothing was judged here that the store does not have. */
  get isEmpty(): boolean {
    return this.#changed.size === 0;
  }

  /** Takes over the alerts of the store, before the first judgement here. */
  begin(known: readonly Alert[]): void {
    if (!this.isEmpty) return;
    for (const alert of known) this.#alerts.set(keyOf(alert), alert);
  }

  /** The open alerts by cause, those of the store that were taken over included. */
  counts(): AlertCount[] {
    const counts = new Map<string, AlertCount>();
    for (const { cause, severity, closedAtMs } of this.#alerts.values()) {
      const key = `${cause} ${severity}`;
      if (closedAtMs === null) counts.set(key, { cause, severity, open: (counts.get(key)?.open ?? 0) + 1 });
    }
    return [...counts.values()];
  }

  /** The alerts that were judged here, for the store. */
  told(): AlertState[] {
    return [...this.#changed].flatMap((key) => this.#alerts.get(key) ?? []);
  }

  /** The store has taken them over. Notices that no channel took yet stay. */
  handedOver(): void {
    this.#changed.clear();
  }

  async judge({ conditions, scope, terms }: Judgement): Promise<JudgedCounts> {
    const nowMs = this.#clock.nowMs();
    const counts = { opened: 0, again: 0, recovered: 0 };
    const keep = ({ alert, change }: Judged) => {
      const { severity, channels } = terms[alert.cause];
      const key = keyOf(alert);
      this.#alerts.set(key, { id: 0, ...alert, severity });
      this.#changed.add(key);
      if (change === null) return;
      counts[change]++;
      for (const channel of channels) this.#add(key, channel, change, nowMs);
    };
    const holding = new Set(conditions.map(keyOf));
    for (const [key, alert] of [...this.#alerts]) {
      const isOurs = alert.closedAtMs === null && scope.includes(alert.cause);
      if (isOurs && !holding.has(key)) keep(afterRecovery(alert, nowMs));
    }
    for (const condition of conditions) {
      const known = this.#alerts.get(keyOf(condition)) ?? null;
      keep(afterCondition(known, condition, terms[condition.cause], nowMs));
    }
    const open = [...this.#alerts.values()].filter(({ closedAtMs }) => closedAtMs === null).length;
    return { ...counts, open };
  }

  async leaseNotices({ channels, limit, leaseMs }: Parameters<Alerts['leaseNotices']>[0]): Promise<LeasedNotice[]> {
    const nowMs = this.#clock.nowMs();
    const due = this.#notices.filter(
      ({ channel, dueAtMs, leasedUntilMs }) =>
        channels.includes(channel) && dueAtMs <= nowMs && (leasedUntilMs ?? nowMs) <= nowMs,
    );
    return due.slice(0, limit).map((notice) => {
      notice.attempts++;
      notice.leasedUntilMs = nowMs + leaseMs;
      const { id, attempts: attempt, channel, change, key } = notice;
      return { id, attempt, channel, change, alert: this.#alerts.get(key) as Alert };
    });
  }

  async finishNotice({ id, attempt, error }: Parameters<Alerts['finishNotice']>[0]): Promise<boolean> {
    const nowMs = this.#clock.nowMs();
    const notice = this.#notices.find((one) => one.id === id && one.attempts === attempt);
    if (notice === undefined) return false;
    const after = error === null ? null : afterFailure(notice, nowMs);
    if (after?.state === 'waiting') {
      notice.dueAtMs = after.dueAtMs;
      notice.leasedUntilMs = null;
    } else this.#notices = this.#notices.filter((one) => one !== notice);
    return true;
  }

  #add(key: string, channel: AlertChannel, change: AlertChange, nowMs: number): void {
    const waiting = this.#notices.findLast((one) => one.key === key && one.channel === channel);
    const what = waiting === undefined ? 'add' : besideWaiting(waiting, change, nowMs);
    if (what === 'keep') return;
    if (what !== 'add') this.#notices = this.#notices.filter((one) => one !== waiting);
    if (what === 'cancel') return;
    const fresh = { attempts: 0, dueAtMs: nowMs, leasedUntilMs: null };
    this.#notices.push({ id: this.#nextId++, key, channel, change, madeAtMs: nowMs, ...fresh });
  }
}

function keyOf({ cause, subject }: Pick<AlertState, 'cause' | 'subject'>): string {
  return `${cause} ${subject}`;
}
