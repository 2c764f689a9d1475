import { hostname } from 'node:os';
import type { Config } from '../config/load.ts';
import { ALERT_CAUSES, type AlertCause, type AlertChannel, STANDARD_SEVERITY } from '../domain/alerts/alert-cause.ts';
import type { CauseTerms } from '../store/alerts.ts';
import { HOUR_MS, MINUTE_MS } from '../time/clock.ts';

type AlertSettings = Config['alerts'];

/** Whose alerts these are: `alerts.name`, or the name of this machine. */
export function nameOf({ name }: Pick<AlertSettings, 'name'>): string {
  return name ?? hostname();
}

/** The channels that are set up; the log needs nothing. */
export function channelsOf({ webhook, mail }: Pick<AlertSettings, 'webhook' | 'mail'>): AlertChannel[] {
  return ['log', ...(webhook === null ? [] : ['webhook' as const]), ...(mail === null ? [] : ['mail' as const])];
}

/** The causes that are judged. */
export function causesOf({ causes }: Pick<AlertSettings, 'causes'>): AlertCause[] {
  return ALERT_CAUSES.filter((cause) => causes[cause]?.severity !== 'off');
}

/** Severity, channels and cool-down of every cause; one that is turned off is told nowhere. */
export function termsOf(settings: AlertSettings): Readonly<Record<AlertCause, CauseTerms>> {
  const all = channelsOf(settings);
  const terms = ALERT_CAUSES.map((cause): [AlertCause, CauseTerms] => {
    const { severity = STANDARD_SEVERITY[cause], channels = all, coolDownMinutes } = settings.causes[cause] ?? {};
    const coolDownMs = (coolDownMinutes ?? settings.coolDownMinutes) * MINUTE_MS;
    const remindMs = Math.max(settings.remindHours * HOUR_MS, coolDownMs);
    if (severity === 'off') return [cause, { severity: STANDARD_SEVERITY[cause], channels: [], coolDownMs, remindMs }];
    return [cause, { severity, channels, coolDownMs, remindMs }];
  });
  return Object.fromEntries(terms) as Record<AlertCause, CauseTerms>;
}
