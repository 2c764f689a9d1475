import type { Config } from '../../src/config/load.ts';
import { ENVIRONMENTS, type Environment } from '../../src/domain/environment.ts';
import { cutOffMinutesIn, type DayRule, isDay } from '../../src/domain/reconciling/business-day.ts';
import { RECORD_KINDS, type RecordKind } from '../../src/domain/records/lifecycle.ts';
import { isTimeZone } from '../../src/time/timestamp.ts';
import { UsageError } from './options.ts';
import { type Calendar, instantOf } from './when.ts';

// The period of reconcile and totals: whole days, in a zone and with a cut-off.

/** What may be reconciled: the plural of a kind, or all of them. */
export const WHAT = [...RECORD_KINDS.map((kind) => `${kind}s` as const), 'all'] as const;
export type What = (typeof WHAT)[number];

export const PERIOD_OPTIONS = {
  from: { type: 'string', requiresArg: true, demandOption: true, describe: 'First day, 2026-10-01' },
  to: { type: 'string', requiresArg: true, demandOption: true, describe: 'Last day, included' },
  environment: { choices: ENVIRONMENTS, describe: 'Only this environment; both are never mixed' },
  zone: { type: 'string', requiresArg: true, describe: 'Time zone of the days [timeZone of the configuration]' },
  'cut-off': {
    type: 'string',
    requiresArg: true,
    describe: 'When a day ends: 18:00 puts the evening into the next day [reconcile.cutOff]',
  },
} as const;

export interface PeriodArguments {
  readonly from: string;
  readonly to: string;
  readonly environment: Environment | undefined;
  readonly zone: string | undefined;
  readonly cutOff: string | undefined;
}

export interface ChosenPeriod {
  readonly from: string;
  readonly to: string;
  readonly environment?: Environment;
  readonly dayRule: DayRule;
}

/** @throws UsageError */
export function periodIn(argv: PeriodArguments, config: Pick<Config, 'timeZone' | 'reconcile'>): ChosenPeriod {
  const { from, to, environment, zone = config.timeZone, cutOff } = argv;
  for (const [option, day] of Object.entries({ from, to })) {
    if (!isDay(day))
      throw new UsageError(`--${option} is ${JSON.stringify(day)}: not a day.`, 'Give it as 2026-10-31.');
  }
  if (from > to) throw new UsageError(`--from ${from} is after --to ${to}: nothing lies between them.`);
  if (!isTimeZone(zone))
    throw new UsageError(
      `--zone is ${JSON.stringify(zone)}: not a time zone.`,
      'Give an IANA name, such as Africa/Lagos.',
    );
  return {
    from,
    to,
    dayRule: { zone, cutOffMinutes: cutOff === undefined ? config.reconcile.cutOffMinutes : cutOffIn(cutOff) },
    ...(environment !== undefined && { environment }),
  };
}

export function kindsOf(what: What): readonly RecordKind[] {
  return RECORD_KINDS.filter((kind) => what === 'all' || what === `${kind}s`);
}

/** Minutes after midnight. @throws UsageError */
function cutOffIn(text: string): number {
  const minutes = cutOffMinutesIn(text);
  if (minutes !== null) return minutes;
  const hint =
    text === '00:00'
      ? 'Midnight at the end of the day is 24:00.'
      : 'Give hours and minutes: 18:00, or 24:00 for midnight.';
  throw new UsageError(`--cut-off is ${JSON.stringify(text)}: not a time of day.`, hint);
}

/** Reads `--as-at`: a day means its end. Nothing is known of the future. @throws UsageError */
export function asAtIn(text: string | undefined, calendar: Calendar): number {
  if (text === undefined) return calendar.nowMs;
  const [beginMs, endMs] = (['since', 'until'] as const).map((bound) => instantOf(text, bound, calendar, 'as-at'));
  if (beginMs === undefined || endMs === undefined || beginMs > calendar.nowMs) {
    throw new UsageError(`--as-at is ${text}: nothing is known of the future.`);
  }
  return Math.min(isDay(text) ? endMs - 1 : endMs, calendar.nowMs);
}
