import { TALLYHOOK } from '../audit/entry.ts';
import { foldedName } from '../persons/person.ts';
import type { LoginWay } from './session.ts';

/*
 * Who may be behind an act. A token or link is seen by the person who gives it, so that person may be the one who acts with it, and so may
 * each one who gave that person a token or link before, back to the first user. A gift that a second person approved is of no one alone.
 * A reset is done on the machine without a proof, so any person may be behind it. A login elsewhere was given by no user.
 */

/** Entries of the audit about a user: what gives a token or a link, and the end, which takes all of them away. */
export const GIFT_ACTS = ['user.add', 'user.token', 'user.link', 'user.reset', 'user.end'] as const;

export interface Gift {
  readonly seq: number;
  readonly atMs: number;
  readonly act: (typeof GIFT_ACTS)[number];
  readonly by: string;
  /** A second person approved it. */
  readonly isApproved: boolean;
}

/** By what the second person proves the name. */
export type ActingBy =
  | { readonly kind: 'token'; readonly name: string; readonly madeAtMs: number }
  | { readonly kind: 'session'; readonly name: string; readonly way: LoginWay };

/** The gifts to a name, in the order of the audit. */
export type GiftsTo = (name: string) => readonly Gift[];

/**
 * Whether the person who acts now may be the one who did the first half: behind the proof of the second stands `first` or the machine, or
 * behind the name of the first one stands the second.
 */
export function mayBeSameHand(first: string, second: ActingBy, giftsTo: GiftsTo): boolean {
  const behind = handsBehind(second.name, giftsOf(second, giftsTo), giftsTo);
  if (behind.has(TALLYHOOK) || behind.has(foldedName(first))) return true;
  return handsBehind(first, heldBefore(giftsTo(first)), giftsTo).has(foldedName(second.name));
}

/** The folded names of all who may act by these gifts as `name`. */
function handsBehind(name: string, gifts: readonly Gift[], giftsTo: GiftsTo): ReadonlySet<string> {
  const hands = new Set([foldedName(name)]);
  const seen = new Set<number>();
  const open = [...gifts];
  for (let gift = open.pop(); gift !== undefined; gift = open.pop()) {
    if (seen.has(gift.seq)) continue; // each entry once, so that it ends
    seen.add(gift.seq);
    hands.add(foldedName(gift.by));
    if (gift.act === 'user.reset') hands.add(TALLYHOOK);
    open.push(...heldBefore(giftsTo(gift.by), gift.seq));
  }
  return hands;
}

/** By which gifts the second person acts. Which link a login was set up by is not entered, so all of them count. */
function giftsOf(second: ActingBy, giftsTo: GiftsTo): readonly Gift[] {
  if (second.kind === 'session' && second.way === 'oidc') return [];
  const gifts = heldBefore(giftsTo(second.name));
  if (second.kind === 'session') return gifts.filter(({ act }) => act !== 'user.token');
  return gifts.filter(({ act, atMs }) => act !== 'user.link' && atMs === second.madeAtMs);
}

/** What one person alone gave, and was not taken away before the entry `seq`. */
function heldBefore(gifts: readonly Gift[], seq = Number.POSITIVE_INFINITY): readonly Gift[] {
  const before = gifts.filter((gift) => gift.seq < seq);
  return before
    .slice(before.findLastIndex(({ act }) => act === 'user.end') + 1)
    .filter(({ isApproved }) => !isApproved);
}
