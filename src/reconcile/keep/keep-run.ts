import type { Item } from '../../domain/reconciling/break.ts';
import { RECORD_KINDS } from '../../domain/records/lifecycle.ts';
import type { Archive } from '../../store/archive.ts';
import type { ByPerson } from '../../store/audit.ts';
import { type FrozenGroup, MOST_BREAKS_KEPT, type Runs } from '../../store/runs.ts';
import type { OpenOperations } from '../../store/store.ts';
import { followRuns } from '../exceptions/follow.ts';
import { judgeHeld } from '../exceptions/held.ts';
import { paidClaims } from '../exceptions/paid.ts';
import { followScope } from '../exceptions/scope.ts';
import type { ReconcileOrder } from '../load/order.ts';
import { statementsAt } from '../load/scope.ts';
import { breakOf, itemId, keptBreak } from '../recon-break.ts';
import { type Reconciliation, reconcile } from '../reconcile.ts';
import { keptFigures } from '../report/figures.ts';
import type { MatchKeeper } from './keep-matches.ts';

interface KeepOptions extends ByPerson {
  /** Whether matches are kept anew. */
  readonly isFull?: boolean;
  /** Called with the number of the run when it begins, and with null when it is over. */
  readonly onRun?: ((run: number | null) => void) | undefined;
}

/**
 * Reconciles, and keeps the run: its matches, its breaks and its figures, all of which show at once. Then the queue of exceptions
 * follows it.
 */
export async function reconcileAndKeep(
  archive: Archive,
  { runs, exceptions }: Pick<OpenOperations, 'runs' | 'exceptions'>,
  order: ReconcileOrder,
  { isFull = false, onRun, ...person }: KeepOptions = {},
): Promise<Reconciliation & { readonly run: number }> {
  await followRuns(exceptions);
  const { run } = await runs.beginRun(runOrder(order));
  onRun?.(run);
  try {
    const result = await reconcile(archive, order, keeperOf(runs, run, isFull));
    const held = await judgeHeld(archive, result.span, result.breaks);
    await keepBreaks(runs, { run, result, held: held.found });
    await keepGroups(runs, run, result);
    const gone = [...held.gone, ...endedBefore(result), ...(await paidClaims(archive, result.span))];
    const scope = followScope(result.span, await statementsAt(archive, result.span), gone);
    await runs.finishRun({ run, report: JSON.stringify(keptFigures(result)), scope, ...person });
    await followRuns(exceptions);
    // A piece at a time: what is left is deleted by the next run.
    for (let pieces = 0; pieces < MOST_PIECES && !(await runs.clear()).done; ) pieces++;
    return { ...result, run };
  } catch (error) {
    await runs.abandonRun({ run }).catch(() => {}); // the error that ended the run says more
    throw error;
  } finally {
    onRun?.(null);
  }
}

/** What is open from before no more, where the run lists all that there is. */
function endedBefore({ statements, breaks, inOpening, span: { order } }: Reconciliation): string[] {
  const isWhole = order.account === undefined && order.leg === undefined && order.kinds.length === RECORD_KINDS.length;
  if (!isWhole || statements === null || statements.ended.length === 0) return [];
  const listed = new Set([...breaks, ...inOpening].map(itemId));
  return statements.ended.filter((id) => !listed.has(id));
}

const MOST_PIECES = 200;

async function keepBreaks(
  runs: Runs,
  {
    run,
    result: { breaks, carried, span },
    held,
  }: { readonly run: number; readonly result: Reconciliation; readonly held: readonly Item[] },
): Promise<void> {
  const keep = async (items: readonly Item[], isCarried: boolean) => {
    for (let start = 0; start < items.length; start += MOST_BREAKS_KEPT) {
      const some = items.slice(start, start + MOST_BREAKS_KEPT);
      const kept = some.map((item) => keptBreak(breakOf(item, span.judgedDay, null), item.recordId));
      await runs.keepBreaks({ run, breaks: kept, carried: isCarried });
    }
  };
  await keep(breaks, false);
  await keep([...carried, ...held], true);
}

async function keepGroups(runs: Runs, run: number, result: Reconciliation): Promise<void> {
  const groups = openGroups(result);
  for (let start = 0; start === 0 || start < groups.length; start += MOST_BREAKS_KEPT) {
    const some = groups.slice(start, start + MOST_BREAKS_KEPT);
    await runs.keepGroups({ run, groups: some });
  }
}

/** The groups that a run leaves open, as a close of its days freezes them. */
export function openGroups({ statements, span }: Pick<Reconciliation, 'statements' | 'span'>): FrozenGroup[] {
  return (statements?.groups ?? []).map(({ members, items, ...group }) => ({
    ...group,
    ...members,
    verdicts: items.map((item) => keptBreak(breakOf(item, span.judgedDay, null), item.recordId)),
  }));
}

function keeperOf(runs: Runs, run: number, isFull: boolean): MatchKeeper {
  return {
    isFull,
    async keep(matches) {
      await runs.keepMatches({ run, matches });
    },
    async end(ids) {
      await runs.endMatches({ run, ids });
    },
  };
}

function runOrder({ from, to, asAtMs, dayRule, environment, account, leg, kinds, rules }: ReconcileOrder) {
  const { name, digest, text } = rules;
  const what = leg ?? (kinds.length === 3 ? 'all' : kinds.map((kind) => `${kind}s`).join('+'));
  return {
    from,
    to,
    asAtMs,
    zone: dayRule.zone,
    cutOffMinutes: dayRule.cutOffMinutes,
    environment: environment ?? null,
    account: account ?? null,
    what,
    rules: { name, digest, text },
  };
}
