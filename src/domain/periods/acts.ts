import { samePerson } from '../persons/person.ts';
import { dayPlus } from '../reconciling/business-day.ts';
import { type DayRange, overlaps, type PeriodState, periodOf } from './period.ts';
import type { Since } from './since.ts';

/*
 * What may be done to a period: states × acts. Pure; the store reads the facts and asks within the transaction that writes.
 */

/** A period of a set, as it stands. */
export interface KnownPeriod extends DayRange {
  readonly name: string;
  readonly state: PeriodState;
  /** Who closed it last; null: never closed. */
  readonly preparer: string | null;
  /** Of the report that its last closing froze; null: never closed. */
  readonly digest: string | null;
  /** Who brought it into its state, and when. */
  readonly since: Since | null;
}

/** The periods of the set, the earliest first, and the one of the act. */
export interface PeriodFacts {
  readonly period: DayRange & { readonly name: string };
  readonly all: readonly KnownPeriod[];
}

export const PERIOD_REFUSALS = [
  'state', // the period stands otherwise
  'person', // approving one's own close
  'changed', // the closing is another one than was looked at
  'overlap', // another period of the set has some of its days
  'earlier_open', // the period before it is open
  'later_closed', // a later one is closed
  'stale', // rows came after the run
] as const;
export type PeriodRefusal = (typeof PERIOD_REFUSALS)[number];

/** Why an act is refused, as a sentence, and what to do about it. */
export interface RefusedAct {
  readonly reason: PeriodRefusal;
  readonly message: string;
  readonly hint: string;
}

/** The state of a period of which nothing is kept is open. */
export function stateOf({ period, all }: PeriodFacts): PeriodState {
  return all.find(({ name }) => name === period.name)?.state ?? 'open';
}

/** Why the period cannot be closed; null: it can. */
export function closeRefusal(facts: PeriodFacts): RefusedAct | null {
  const { period, all } = facts;
  const state = stateOf(facts);
  if (state !== 'open') return wrongState(facts, closedHint(period.name, state));
  const others = all.filter(({ name }) => name !== period.name);
  const crossing = others.find((other) => overlaps(other, period));
  if (crossing !== undefined) {
    return {
      reason: 'overlap',
      message: `Period ${period.name} overlaps ${crossing.name}: periods of a set share no day.`,
      hint: 'See: tallyhook period list',
    };
  }
  return openBefore(period, others) ?? closedAfter(period, others, 'closed');
}

/** Why the period cannot be approved by this person; null: it can. `mayBe`: whether it may be the person of that name (hands). */
export function approveRefusal(
  facts: PeriodFacts,
  by: string,
  mayBe: (name: string) => boolean = (name) => samePerson(name, by),
): RefusedAct | null {
  const { period, all } = facts;
  const state = stateOf(facts);
  if (state !== 'closed') {
    const next =
      state === 'open' ? `Close it first: tallyhook period close ${period.name}` : closedHint(period.name, state);
    return wrongState(facts, next);
  }
  const preparer = all.find(({ name }) => name === period.name)?.preparer ?? '';
  if (!mayBe(preparer)) return null;
  return {
    reason: 'person',
    message: `${preparer} closed period ${period.name}, so another person has to approve it.`,
    hint: `Another person runs: tallyhook period approve ${period.name} --as NAME`,
  };
}

/** Why the period cannot be locked; null: it can. */
export function lockRefusal(facts: PeriodFacts): RefusedAct | null {
  const state = stateOf(facts);
  const { name } = facts.period;
  if (state === 'approved') return null;
  const next = {
    open: `Close it first: tallyhook period close ${name}`,
    closed: `Another person approves it first: tallyhook period approve ${name} --as NAME`,
    locked: closedHint(name, 'locked'),
  }[state];
  return wrongState(facts, next);
}

/**
 * Why the closing cannot be signed by who looked at another one; null: it can. `seen`: the digest that was looked at; entries of
 * versions that did not ask for it have none.
 */
export function unseenRefusal({ period: { name }, all }: PeriodFacts, seen: string | undefined): RefusedAct | null {
  const digest = all.find((one) => one.name === name)?.digest ?? null;
  if (seen === undefined || seen === digest) return null;
  return {
    reason: 'changed',
    message: `The last closing of period ${name} is another one than you looked at: its digest is ${digest}.`,
    hint: `When it was closed again since, look at it once more: tallyhook period show ${name}`,
  };
}

/** Why the period cannot be opened again; null: it can. */
export function reopenRefusal(facts: PeriodFacts): RefusedAct | null {
  const { period, all } = facts;
  const state = stateOf(facts);
  if (state === 'open') return wrongState(facts, `See: tallyhook period check ${period.name}`);
  if (state === 'locked') return wrongState(facts, closedHint(period.name, state));
  return closedAfter(period, all, 'reopened');
}

function closedHint(name: string, state: Exclude<PeriodState, 'open'>): string {
  const late = 'what became known later stands in the next period';
  return state === 'locked'
    ? `Locked is for ever: ${late}. See: tallyhook period show ${name}`
    : `W${late.slice(1)}. To change it: tallyhook period reopen ${name} --reason TEXT`;
}

function wrongState(facts: PeriodFacts, hint: string): RefusedAct {
  const { name } = facts.period;
  const since = facts.all.find((one) => one.name === name)?.since ?? null;
  const byWhom = since === null ? '' : ` (by ${since.who}, ${new Date(since.atMs).toISOString()})`;
  return { reason: 'state', message: `Period ${name} is ${stateOf(facts)}${byWhom}.`, hint };
}

/** The latest period before it must be closed, and end the day before: no day may be left in none. */
function openBefore(period: DayRange & { name: string }, others: readonly KnownPeriod[]): RefusedAct | null {
  const earlier = others.filter(({ to }) => to < period.from);
  const open = earlier.find(({ state }) => state === 'open');
  if (open !== undefined) {
    return {
      reason: 'earlier_open',
      message: `Period ${period.name} cannot be closed while ${open.name} before it is open.`,
      hint: `Close that first: tallyhook period check ${open.name}`,
    };
  }
  const last = earlier.at(-1);
  const eve = dayPlus(period.from, -1);
  if (last === undefined || last.to === eve) return null;
  const missing = periodOf(`${dayPlus(last.to, 1)}..${eve}`)?.name;
  return {
    reason: 'earlier_open',
    message: `Period ${period.name} cannot be closed while ${missing}, after ${last.name}, is open.`,
    hint: `Close that first: tallyhook period check ${missing}`,
  };
}

function closedAfter(
  period: DayRange & { name: string },
  others: readonly KnownPeriod[],
  act: string,
): RefusedAct | null {
  const later = others.findLast(({ from, state }) => from > period.to && state !== 'open');
  if (later === undefined) return null;
  return {
    reason: 'later_closed',
    message: `Period ${period.name} cannot be ${act} while ${later.name} after it is ${later.state}.`,
    hint:
      later.state === 'locked'
        ? 'Locked is for ever: what became known later stands in the first open period.'
        : `Reopen that first: tallyhook period reopen ${later.name} --reason TEXT`,
  };
}
