import type { RecordStory } from '../store/story.ts';
import { findings, moves, prunings } from './consequences.ts';
import { type Entry, type Source, STORY_SOURCES, type Wording } from './entry.ts';
import { expectations, requests } from './ours.ts';
import { answers, checks, listings } from './service.ts';
import { variants, webhooks } from './webhooks.ts';

/**
 * Everything that a story is told from. A new source is one function here, a word in STORY_SOURCES, and, where it needs
 * what is not read yet, a member of RecordStory.
 */
const SOURCES: readonly Source[] = [
  requests,
  expectations,
  webhooks,
  variants,
  listings,
  answers,
  checks,
  moves,
  findings,
  prunings,
];

/** The story of one record in time order; at one moment causes stand before what follows from them. Pure. */
export function tell(story: RecordStory, wording: Wording): Entry[] {
  return SOURCES.flatMap((source) => source(story, wording)).sort(
    (one, other) => one.atMs - other.atMs || placeOf(one) - placeOf(other),
  );
}

function placeOf({ source }: Entry): number {
  return STORY_SOURCES.indexOf(source);
}

/** An entry, and how often its neighbours said the same. */
export interface ToldEntry extends Entry {
  readonly times: number;
  readonly lastAtMs: number;
}

/** Neighbours that say the same, as one: an hourly question about a refund that waits is a thousand equal answers. */
export function abridged(entries: readonly Entry[]): ToldEntry[] {
  const told: ToldEntry[] = [];
  for (const entry of entries) {
    const last = told.at(-1);
    const same = last !== undefined && entry.repeats !== undefined && last.repeats === entry.repeats;
    if (same && last.source === entry.source)
      told[told.length - 1] = { ...last, times: last.times + 1, lastAtMs: entry.atMs };
    else told.push({ ...entry, times: 1, lastAtMs: entry.atMs });
  }
  return told;
}
