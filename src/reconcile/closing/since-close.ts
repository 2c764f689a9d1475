import { businessDays, type DayRule, dayPlus } from '../../domain/reconciling/business-day.ts';
import type { KeptPeriod, PeriodArchive, SinceClose } from '../../store/periods.ts';

/** Most changes since a closing that are listed. */
export const MOST_SINCE = 1_000;

/** What of a closed period changed after its figures were frozen; nothing for one that is open. */
export async function sinceClose(
  archive: Pick<PeriodArchive, 'sinceClose'>,
  { state, set, from, to, closings }: KeptPeriod,
  dayRule: DayRule,
): Promise<readonly SinceClose[]> {
  const last = closings.at(-1);
  if (state === 'open' || last === undefined) return [];
  const days = businessDays(dayRule);
  return archive.sinceClose({
    ...{ environment: set.environment, accounts: set.accounts, from, to },
    fromMs: days.startOf(from),
    beforeMs: days.startOf(dayPlus(to, 1)),
    sinceMs: last.asAtMs,
    limit: MOST_SINCE,
  });
}

/** A period as `period show` and the answers of each act give it; docs/cli.md names each field. */
export function periodJson({ set, period, state, closings, head }: KeptPeriod, since: readonly SinceClose[]) {
  const last = closings.at(-1);
  return {
    period,
    set: set.name,
    environment: set.environment,
    state,
    closing: last?.closing ?? 0,
    preparer: last?.preparer ?? null,
    approver: last?.approver ?? null,
    digest: last?.digest ?? null,
    ...(last?.erasedAtMs != null && { reportErasedAt: new Date(last.erasedAtMs).toISOString() }),
    head,
    // Of the last reopening, also when it was closed again since.
    reason: closings.findLast(({ reason }) => reason !== null)?.reason ?? null,
    sinceClose: since.map(({ what, reference, atMs }) => ({ what, reference, at: new Date(atMs).toISOString() })),
    changes: last?.changes ?? null,
  };
}
