import { sha256 } from '../../domain/events/json.ts';
import { parseAmount, toMinor } from '../../domain/money/amount.ts';
import { closeRefusal, type RefusedAct } from '../../domain/periods/acts.ts';
import { booksMs } from '../../domain/periods/books-time.ts';
import { staleRefusal } from '../../domain/periods/stale.ts';
import { RefusedActError } from '../../domain/persons/refused-act.ts';
import type { Archive } from '../../store/archive.ts';
import type {
  Closing,
  ClosingBalance,
  PeriodActOrder,
  PeriodChange,
  PeriodResult,
  Periods,
} from '../../store/periods.ts';
import type { JournalSettings } from '../journal/assemble.ts';
import { closingJournal } from '../journal/of-period.ts';
import type { Report } from '../report/model.ts';
import { monthReport, reportText } from '../report/month.ts';
import { changesBetween } from './changes.ts';
import { checkPeriod, type PeriodCheck } from './check.ts';
import { knownPeriod, type PeriodOrder } from './facts.ts';

export interface CloseParts {
  readonly archive: Archive;
  readonly periods: Pick<Periods, 'close'>;
}

/**
 * Freezes the figures of the last run of the period, as the bytes of its own report, and numbers the entries of its journal.
 *
 * @throws RefusedActError when the check is not ready, when its journal cannot be written, when rows came after the run, and when the state of the period or another
 * one of its set forbids it; nothing is written then
 */
export async function closePeriod(
  order: PeriodOrder & { readonly by: string; readonly nowMs: number; readonly journal: JournalSettings },
  { archive, periods }: CloseParts,
): Promise<void> {
  const { set, period, by, nowMs } = order;
  const check = await checkPeriod(archive, order);
  const { run, kept, news, checkedUntil, beforeMs } = check.facts;
  const own = kept === null ? null : closeRefusal({ period, all: [knownPeriod(kept)] });
  const refused =
    own ?? check.facts.otherPeriods ?? (run === null ? null : staleRefusal({ ...period, run: run.run }, news));
  if (refused !== null) throw refusedError(refused);
  if (!check.ready || run === null || checkedUntil === null) throw notReady(check);
  const closedAtMs = booksMs(nowMs, await archive.lastAsAtMs());
  const prepared = { who: by, at: new Date(closedAtMs).toISOString() };
  const report = await monthReport(archive, { run: run.run, period, set, prepared, approved: null });
  const text = reportText(report);
  const last = kept?.closings.at(-1) ?? null;
  const closing = (last?.closing ?? 0) + 1;
  const journal = await closingJournal(archive, order, { run, closing }, order.journal);
  const changes = last === null ? null : await changesSince(archive, set.name, period.name, last, text);
  orThrow(
    await periods.close({
      ...{ set, period: period.name, from: period.from, to: period.to, run: run.run, report: text, by },
      ...{ checkedUntil, beforeMs },
      ...{ closing, journal },
      balances: balancesOf(report),
      changes,
      closedAtMs,
    }),
  );
}

/** Of a closing whose report was erased only the digest can be compared. */
async function changesSince(
  archive: Pick<Archive, 'frozen'>,
  set: string,
  period: string,
  { closing, digest }: Closing,
  text: string,
): Promise<PeriodChange[]> {
  const before = await archive.frozen({ set, period, closing });
  return before === null ? [{ path: 'digest', before: digest, after: sha256(text) }] : changesBetween(before, text);
}

/** Carries out an act that needs no figures. @throws RefusedActError when the state or the person forbids it */
export async function actOnPeriod<Order extends PeriodActOrder>(
  order: Order,
  act: (order: Order) => Promise<PeriodResult>,
): Promise<void> {
  orThrow(await act(order));
}

function orThrow(result: PeriodResult): void {
  if (result.outcome === 'refused') throw refusedError(result);
}

function refusedError({ reason, message, hint }: RefusedAct): RefusedActError {
  return new RefusedActError(message, { kind: 'failed', reason, hint });
}

function notReady({ order: { period }, items }: PeriodCheck): RefusedActError {
  const open = items.filter(({ state }) => state === 'open').map(({ name }) => name);
  const message = `Period ${period.name} cannot be closed: ${open.join(', ')} ${open.length === 1 ? 'is' : 'are'} open.`;
  const hint = `See: tallyhook period check ${period.name}`;
  return new RefusedActError(message, { kind: 'failed', reason: 'not_ready', hint });
}

function balancesOf({ proof }: Report): ClosingBalance[] {
  return proof.map(({ account, currency, rows }) => {
    const closing = rows.find(({ name }) => name === 'closing');
    const minor = (amount: string | undefined) => toMinor(parseAmount(amount ?? '0.00'));
    return { account, currency, ours: minor(closing?.ours), theirs: minor(closing?.theirs) };
  });
}
