import { isUnresolved } from '../../domain/exceptions/overdue.ts';
import { closeRefusal, type KnownPeriod, type RefusedAct } from '../../domain/periods/acts.ts';
import { type DayRange, hasAccount, type PeriodSet } from '../../domain/periods/period.ts';
import { sinceOf } from '../../domain/periods/since.ts';
import type { News } from '../../domain/periods/stale.ts';
import { businessDays, type DayRule, dayPlus } from '../../domain/reconciling/business-day.ts';
import { RECORD_KINDS } from '../../domain/records/lifecycle.ts';
import type { Archive } from '../../store/archive.ts';
import type { Cursor } from '../../store/cursor.ts';
import type { Exception } from '../../store/exceptions.ts';
import type { KeptPeriod, Known } from '../../store/periods.ts';
import type { FoundBreak, RunSummary } from '../../store/runs.ts';
import type { StatementSummary } from '../../store/statements.ts';

/** A period of a set, and how its days are cut. */
export interface PeriodOrder {
  readonly set: PeriodSet;
  readonly period: DayRange & { readonly name: string };
  readonly dayRule: DayRule;
  /** The last day of each account that was closed (`periods.until`); missing: none was. */
  readonly until?: Readonly<Record<string, string>>;
}

/** A break of the run, and whether its exception is resolved, and approved where that is needed. */
export interface JudgedBreak extends FoundBreak {
  readonly isResolved: boolean;
}

/** What a check judges, beside the figures of the run. */
export interface CheckFacts {
  /** Null: it was never closed. */
  readonly kept: KeptPeriod | null;
  /** The last run of exactly these days; null: there is none, or its breaks were given up for those of later runs. */
  readonly run: RunSummary | null;
  readonly news: News;
  /** Until when `news` is complete; null: there is no run. */
  readonly checkedUntil: Known | null;
  /** When the last day ends. */
  readonly beforeMs: number;
  readonly breaks: readonly JudgedBreak[];
  /** Dated in the period or before it, come up by its end, and neither resolved nor closed. */
  readonly unresolved: readonly Exception[];
  /** Of the accounts of the set, those that show. */
  readonly statements: readonly StatementSummary[];
  /** Why other periods of the set keep this one from being closed; null: they do not. */
  readonly otherPeriods: RefusedAct | null;
  /** What is there of days before the period, where the set has no period before it. */
  readonly before: readonly ('records' | 'statements')[];
}

const PAGE = 500;
/** Records of each kind that are looked at for one of days before the period: those that came first. */
const MOST_FIRST = 500;
const NO_NEWS: News = { records: 0, statements: 0, removed: 0, decisions: 0, payments: 0, closing: null };

/** Reads the kept run, the queue, and at most `most` of the records that changed since the run (missing: all of them). */
export async function checkFacts(
  archive: Archive,
  { set, period, dayRule }: PeriodOrder,
  most?: number,
): Promise<CheckFacts> {
  const { environment, accounts } = set;
  const { name, from, to } = period;
  const beforeMs = businessDays(dayRule).startOf(dayPlus(to, 1));
  const last = await archive.runOfDays({ environment, from, to, ...dayRule });
  const found = last === null ? [] : await breaksOf(archive, last.run);
  const run = last !== null && found.length === last.breaks ? last : null;
  const ofSet = found.filter((one) => one.environment === environment && hasAccount(set, one.account));
  const all = await archive.periods({ set: set.name });
  const others = all.filter((one) => one.period !== name);
  const refused = closeRefusal({ period, all: others.map(knownPeriod) });
  const asked = { environment, accounts, beforeMs, ...(most !== undefined && { most }) };
  const since = run === null ? null : await archive.newsSince({ run: run.run, ...asked });
  const isFirst = !others.some((one) => one.to < from);
  const { news = NO_NEWS, until: checkedUntil = null } = since ?? {};
  const statements = await statementsOf(archive, set);
  return {
    kept: all.find((one) => one.period === name) ?? null,
    run,
    news,
    checkedUntil,
    beforeMs,
    breaks: await judged(archive, ofSet),
    unresolved: await unresolvedOf(archive, set, to),
    statements,
    otherPeriods: refused,
    before: isFirst ? await whatIsBefore(archive, { set, period, dayRule }, statements) : [],
  };
}

async function whatIsBefore(
  archive: Archive,
  { set: { environment }, period: { from }, dayRule }: PeriodOrder,
  statements: readonly StatementSummary[],
): Promise<CheckFacts['before']> {
  const filter = { environment, untilMs: businessDays(dayRule).startOf(from) };
  const page = { order: 'oldest', limit: 1, most: MOST_FIRST } as const;
  const records = await Promise.all(RECORD_KINDS.map((kind) => archive.records(kind, filter, page)));
  return [
    ...(records.some(({ length }) => length > 0) ? (['records'] as const) : []),
    ...(statements.some(({ covers }) => covers !== null && covers.to < from) ? (['statements'] as const) : []),
  ];
}

/** A kept period as the rules of acts look at it. */
export function knownPeriod({ period: name, from, to, state, closings }: KeptPeriod): KnownPeriod {
  const last = closings.at(-1);
  const known = { name, from, to, state };
  if (last === undefined) return { ...known, preparer: null, digest: null, since: null };
  return { ...known, preparer: last.preparer, digest: last.digest, since: sinceOf(state, last) };
}

async function breaksOf(archive: Archive, run: number): Promise<FoundBreak[]> {
  const found: FoundBreak[] = [];
  for (let afterId: number | undefined; ; ) {
    const page = { order: 'oldest' as const, limit: PAGE, ...(afterId !== undefined && { afterId }) };
    const some = await archive.breaks({ run }, page);
    found.push(...some);
    afterId = some.at(-1)?.place;
    if (some.length < PAGE) return found;
  }
}

async function judged(archive: Archive, breaks: readonly FoundBreak[]): Promise<JudgedBreak[]> {
  const resolved = new Set<string>();
  for (let start = 0; start < breaks.length; start += PAGE) {
    const ids = breaks.slice(start, start + PAGE).map(({ id }) => id);
    for (const one of await archive.exceptionProgress(ids)) if (!isUnresolved(one)) resolved.add(one.id);
  }
  return breaks.map((one) => ({ ...one, isResolved: resolved.has(one.id) }));
}

async function unresolvedOf(archive: Archive, set: PeriodSet, to: string): Promise<Exception[]> {
  const filter = { environment: set.environment, to, seenTo: to, unresolved: true };
  const found: Exception[] = [];
  for (let after: Cursor | null = null; ; ) {
    const page = await archive.exceptions(filter, { after, limit: PAGE });
    found.push(...page.rows.filter(({ account }) => hasAccount(set, account)));
    if (page.next === null) return found;
    after = page.next;
  }
}

async function statementsOf(archive: Archive, set: PeriodSet): Promise<StatementSummary[]> {
  const { environment } = set;
  const all = await archive.statements({ environment }, { order: 'oldest', limit: Number.MAX_SAFE_INTEGER });
  return all.filter(({ account }) => hasAccount(set, account.name));
}
