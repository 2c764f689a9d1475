import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts';
import type { Archive } from '../../store/archive.ts';
import type { ClosedPeriod, KeptPeriod, SinceClose } from '../../store/periods.ts';
import type { ReconcileOrder } from '../load/order.ts';
import { sinceClose } from './since-close.ts';

/** The days of a run that are closed: a whole period, whose figures are frozen, or days within one. */
export interface FrozenDays {
  /** When they were closed: a run at that time gives the frozen figures again, or those of the days as they were known then. */
  readonly asAtMs: number;
  readonly periods: readonly KeptPeriod[];
  readonly since: readonly SinceClose[];
}

type Days = Pick<ReconcileOrder, 'from' | 'to' | 'environment' | 'account' | 'dayRule'>;

/** Null: some account of the run has no closed period that holds these days. */
export async function frozenDays(
  archive: Pick<Archive, 'period' | 'sinceClose' | 'statements'>,
  order: Days,
  closed: readonly ClosedPeriod[],
): Promise<FrozenDays | null> {
  const own = closed.filter((one) => one.from <= order.from && order.to <= one.to);
  if (own.length === 0) return null;
  const chosen: ClosedPeriod[] = [];
  for (const environment of await environmentsOf(archive, order)) {
    const found = own.find((one) => one.environment === environment && isAsked(one, order));
    if (found === undefined) return null;
    chosen.push(found);
  }
  const periods: KeptPeriod[] = [];
  const since: SinceClose[] = [];
  for (const { set, period } of chosen) {
    const kept = await archive.period(set, period);
    if (kept === null) continue;
    periods.push(kept);
    since.push(...(await sinceClose(archive, { ...kept, from: order.from, to: order.to }, order.dayRule)));
  }
  if (periods.length === 0) return null;
  return { asAtMs: Math.min(...chosen.map(({ closedAtMs }) => closedAtMs)), periods, since };
}

async function environmentsOf(archive: Pick<Archive, 'statements'>, { environment }: Days): Promise<Environment[]> {
  if (environment !== undefined) return [environment];
  const used: Environment[] = [];
  for (const one of ENVIRONMENTS) {
    if ((await archive.statements({ environment: one }, { order: 'newest', limit: 1 })).length > 0) used.push(one);
  }
  return used;
}

function isAsked({ accounts }: ClosedPeriod, { account }: Days): boolean {
  return accounts === null || (account !== undefined && accounts.includes(account));
}
