import { alertText } from '../../src/alert/message.ts';
import { isSilenced } from '../../src/domain/alerts/alert.ts';
import type { AlertContext } from '../../src/lists/alerts.ts';
import type { Alert, Notice } from '../../src/store/alerts.ts';
import { isoTime } from './text.ts';

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
