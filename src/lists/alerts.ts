import { alertText } from '../alert/message.ts';
import { isSilenced } from '../domain/alerts/alert.ts';
import type { Alert, Notice } from '../store/alerts.ts';
import { count, type ListColumn, long, status, text, time } from './column.ts';

// Alerts, and who was told of them.

/** What text of an alert is written by: the time, and the zone of times. */
export interface AlertContext {
  readonly nowMs: number;
  readonly zone: string;
}

export function alertColumns(context: AlertContext): ListColumn<Alert>[] {
  return [
    count('Id', (alert) => alert.id),
    time('Opened', ({ openedAtMs }) => openedAtMs, { leaveOut: 2 }),
    status('State', (alert) => alertStateOf(alert, context), {
      leaveOut: 1,
      mark: ({ closedAtMs, severity }) => (closedAtMs !== null ? 'good' : severity === 'critical' ? 'bad' : 'warn'),
    }),
    text('Severity', ({ severity }) => severity, { leaveOut: 4 }),
    count('Times', ({ openings }) => openings, { leaveOut: 3 }),
    text('Cause', ({ cause }) => cause),
    long('What', (alert) => alertText(alert, context).what),
  ];
}

export function noticeColumns(): ListColumn<Notice>[] {
  return [
    time('Made', ({ madeAtMs }) => madeAtMs),
    text('Channel', ({ channel }) => channel),
    text('Change', ({ change }) => change),
    text('State', ({ state }) => state),
    count('Tries', ({ attempts }) => attempts),
    long('Error', ({ error }) => error),
  ];
}

/** `open`, `open, silenced`, `recovered` */
export function alertStateOf(alert: Alert, { nowMs }: Pick<AlertContext, 'nowMs'>): string {
  const state = alert.closedAtMs === null ? 'open' : 'recovered';
  return isSilenced(alert, nowMs) ? `${state}, silenced` : state;
}
