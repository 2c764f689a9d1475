import type { Config } from '../../config/load.ts';
import { TallyhookError } from '../../domain/error.ts';
import { periodOf } from '../../domain/periods/period.ts';
import type { StatementArchive } from '../../store/statements.ts';
import type { JournalSettings } from '../journal/assemble.ts';
import type { PeriodOrder } from './facts.ts';
import { setNamed } from './sets.ts';

/** A period as a person names it: `2026-10`, or `2026-10-01..2026-10-15`, of a set that may be left out where there is one alone. */
export interface NamedPeriod {
  readonly period: string;
  readonly set: string | undefined;
}

/**
 * The period that is meant, with what the configuration says of its days.
 *
 * @throws TallyhookError for a name that is none
 */
export async function namedPeriod(
  named: NamedPeriod,
  archive: Pick<StatementArchive, 'statements'>,
  config: Pick<Config, 'timeZone' | 'reconcile' | 'periods'>,
): Promise<PeriodOrder> {
  const period = periodOf(named.period);
  if (period === null) {
    const hint = 'Give a month such as 2026-10, or days such as 2026-10-01..2026-10-15.';
    throw new TallyhookError(`${JSON.stringify(named.period)} is no period.`, { kind: 'usage', hint });
  }
  const set = await setNamed(named.set, config.periods.sets, archive);
  const { timeZone: zone, reconcile, periods } = config;
  return { set, period, dayRule: { zone, cutOffMinutes: reconcile.cutOffMinutes }, until: periods.until };
}

/** What the configuration says of journals. */
export function journalSettings({ journal, exceptions }: Pick<Config, 'journal' | 'exceptions'>): JournalSettings {
  return { ...journal, reasons: exceptions.reasons };
}
