import { kindsWithoutEndpoint } from '../../config/endpoints.ts';
import type { Config } from '../../config/load.ts';
import { RECORD_KINDS } from '../../domain/records/lifecycle.ts';
import type { DaysOrder, ReconcileOrder } from '../load/order.ts';
import { loadRules } from '../rules/load.ts';

/** What is asked of a run; what is missing is said by the configuration. */
interface AskedDays extends Omit<DaysOrder, 'dayRule'> {
  readonly dayRule?: DaysOrder['dayRule'];
  /** The path of a rules file. */
  readonly rules?: string | undefined;
}

/**
 * A reconciliation of all records and legs, as the command, the job and the dashboard order it: the days that are asked for, and the
 * configuration for all else.
 *
 * @throws RulesError
 */
export async function configuredOrder(
  config: Pick<Config, 'baseUrl' | 'service' | 'timeZone' | 'reconcile' | 'periods'>,
  { rules, ...days }: AskedDays,
): Promise<Omit<ReconcileOrder, 'closed'>> {
  const { timeZone: zone, reconcile, periods } = config;
  return {
    dayRule: { zone, cutOffMinutes: reconcile.cutOffMinutes },
    ...days,
    kinds: RECORD_KINDS,
    withoutEndpoint: kindsWithoutEndpoint(config),
    rules: await loadRules(rules ?? reconcile.rules ?? undefined),
    begin: reconcile.begin,
    until: periods.until,
  };
}
