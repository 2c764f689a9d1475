import type { Environment } from '../environment.ts';
import type { EventKind, EventState } from '../events/event.ts';
import { isSettled, LIFECYCLES, type RecordKind } from '../records/lifecycle.ts';

/** What makes a row for a target: a move of the confirmed status, or an event. */
export const FORWARD_MOMENTS = ['confirmed', 'received'] as const;
export type ForwardMoment = (typeof FORWARD_MOMENTS)[number];

/** Of moves of the confirmed status: those into or out of a settled one, or every one. */
export const FORWARD_NEWS = ['settled', 'every'] as const;
export type ForwardNews = (typeof FORWARD_NEWS)[number];

/** The target of an application that runs in the same process. */
export const IN_PROCESS_TARGET = 'app';

/** What selects the news of a target: never its URL, never a secret. */
export interface TargetRules {
  readonly name: string;
  readonly environments: readonly Environment[];
  readonly kinds: readonly RecordKind[];
  readonly when: ForwardMoment;
  readonly news: ForwardNews;
  /** Names of events, `*` for any letters; null: every event of a known kind. With `received` only. */
  readonly events: readonly string[] | null;
}

/** A target as it is configured: without `news` it gets moves into or out of a settled status. */
export interface ConfiguredTarget extends Omit<TargetRules, 'news'> {
  readonly news: ForwardNews | null;
}

export function rulesOfTarget({ name, environments, kinds, when, news, events }: ConfiguredTarget): TargetRules {
  return { name, environments, kinds, when, news: news ?? 'settled', events };
}

/** A move of a record's confirmed status. */
export interface ConfirmedMove {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly from: string | null;
  readonly to: string | null;
}

/** Whether the target gets this move. A move to no status is none: there is no such news. */
export function selectsMove(target: TargetRules, { kind, environment, from, to }: ConfirmedMove): boolean {
  if (target.when !== 'confirmed' || to === null || !concerns(target, environment, kind)) return false;
  return target.news === 'every' || isSettled(kind, to) || (from !== null && isSettled(kind, from));
}

export interface ReceivedEvent {
  readonly event: string;
  readonly kind: EventKind;
  readonly state: EventState;
  readonly environment: Environment;
}

/** Whether the target gets this event. Quarantined ones never; of no known kind only when its `events` names them. */
export function selectsEvent(target: TargetRules, { event, kind, state, environment }: ReceivedEvent): boolean {
  if (target.when !== 'received' || state === 'quarantined') return false;
  const isNamed = target.events?.some((pattern) => matchesEvent(pattern, event)) ?? false;
  if (kind === 'unknown') return isNamed && target.environments.includes(environment);
  return concerns(target, environment, kind) && (target.events === null || isNamed);
}

/** Whether a pattern names an event: `refund.*` names every one that begins with `refund.`. */
export function matchesEvent(pattern: string, event: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return pattern === event;
  if (!event.startsWith(start)) return false;
  let at = start.length;
  for (const part of rest) {
    const found = event.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return event.length - end.length >= at && event.endsWith(end);
}

/** Names of events that the interface documents, and those observed beside it. Others may come. */
export const KNOWN_EVENTS: readonly string[] = [
  ...LIFECYCLES.refund.ranks.flat().map((status) => `refund.${status}`),
  'payout.successful',
  'payout.failed',
  'payout.reversed',
  'transaction',
  'transaction.successful',
  'transaction.failed',
  'payment.success',
  'payment.failed',
];

function concerns({ environments, kinds }: TargetRules, environment: Environment, kind: RecordKind): boolean {
  return environments.includes(environment) && kinds.includes(kind);
}
