import type { Config } from '../../../src/config/load.ts';
import type { Rules } from '../../../src/domain/reconciling/rules.ts';
import { configuredOrder } from '../../../src/reconcile/keep/configured-order.ts';
import type { ReconcileOrder } from '../../../src/reconcile/load/order.ts';
import { UsageError } from '../../options/options.ts';
import { asAtIn, kindsOf, type PeriodArguments, periodIn, WHAT, type What } from '../../options/period.ts';

export interface ReconcileArguments extends PeriodArguments {
  readonly what: string;
  readonly asAt: string | undefined;
  readonly account: string | undefined;
  readonly rules: string | undefined;
}

/** What is to be reconciled: the arguments, and the configuration where they say nothing. @throws UsageError */
export async function reconcileOrder(
  argv: ReconcileArguments,
  config: Config,
  nowMs: number,
): Promise<Omit<ReconcileOrder, 'closed'>> {
  const { what, account, asAt } = argv;
  const period = periodIn(argv, config);
  const asAtMs = asAtIn(asAt, { nowMs, zone: period.dayRule.zone });
  const order = await configuredOrder(config, { ...period, asAtMs, isNow: asAt === undefined, rules: argv.rules });
  return { ...order, ...asked(what, order.rules), ...(account !== undefined && { account }) };
}

/** The plural of a kind, a leg, or all. @throws UsageError */
function asked(what: string, rules: Rules): Pick<ReconcileOrder, 'kinds' | 'leg'> {
  if ((WHAT as readonly string[]).includes(what)) return { kinds: kindsOf(what as What) };
  const legs = rules.legs.map(({ name }) => name);
  if (legs.includes(what)) return { kinds: kindsOf('all'), leg: what };
  throw new UsageError(
    `${what}: neither records nor a leg of the rules.`,
    `Give one of: ${[...WHAT, ...legs].join(', ')}.`,
  );
}
