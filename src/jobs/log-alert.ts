import type { Logger } from 'pino';
import type { AlertMessage } from '../alert/message.ts';
import type { Severity } from '../domain/alerts/alert-cause.ts';

const LEVELS = { critical: 'error', warning: 'warn', info: 'info' } as const satisfies Record<Severity, string>;

/** The line of a notice in the log of `serve`. */
export function logAlert(log: Logger, { alert, title, what, why, run }: AlertMessage): void {
  const level = alert.change === 'recovered' ? 'info' : LEVELS[alert.severity];
  const hint = alert.change === 'recovered' ? undefined : `${why} Run: ${run}`;
  log[level]({ alert, reason: what, ...(hint !== undefined && { hint }) }, `alert ${title}`);
}
