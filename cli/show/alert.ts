import { alertText } from '../../src/alert/message.ts';
import { isSilenced } from '../../src/domain/alerts/alert.ts';
import type { Alert, Notice } from '../../src/store/alerts.ts';
import { isoTime } from './text.ts';

/** What text of an alert is written by: the time, and the zone of times. */
export interface AlertContext {
  readonly nowMs: number;
  readonly zone: string;
}

/** An alert of `alerts … --json`; docs/cli.md describes every field. */
export function alertJson(alert: Alert, context: AlertContext) {
  const { id, cause, subject, severity, openings, size, facts } = alert;
  return {
    ...{ id, cause, subject, severity, open: alert.closedAtMs === null },
    openedAt: isoTime(alert.openedAtMs),
    closedAt: isoTime(alert.closedAtMs),
    seenAt: isoTime(alert.seenAtMs),
    openings,
    size,
    toldAt: isoTime(alert.noticedAtMs),
    silencedUntil: isSilenced(alert, context.nowMs) ? isoTime(alert.silencedUntilMs) : null,
    ...alertText(alert, context),
    facts,
  };
}

export function noticeJson({ id, channel, change, state, attempts, error, ...times }: Notice) {
  const { madeAtMs, dueAtMs, endedAtMs } = times;
  return {
    ...{ id, channel, change, state, attempts, error },
    madeAt: isoTime(madeAtMs),
    dueAt: state === 'waiting' ? isoTime(dueAtMs) : null,
    endedAt: isoTime(endedAtMs),
  };
}

/** `open`, `open, silenced`, `recovered` */
export function stateOf(alert: Alert, { nowMs }: Pick<AlertContext, 'nowMs'>): string {
  const state = alert.closedAtMs === null ? 'open' : 'recovered';
  return isSilenced(alert, nowMs) ? `${state}, silenced` : state;
}
