import type { Archive } from '../store/archive.ts';
import type { KeptBreak } from '../store/runs.ts';
import { findings, moves, prunings } from './consequences.ts';
import { type Entry, type Source, STORY_SOURCES, type WholeStory, type Wording } from './entry.ts';
import { exceptions } from './exceptions.ts';
import { forwards } from './forwards.ts';
import { incidents } from './incidents.ts';
import { expectations, requests } from './ours.ts';
import { reconciledOf } from './reconciled.ts';
import { answers, checks, listings } from './service.ts';
import { breaks, matches, statements } from './statements.ts';
import { variants, webhooks } from './webhooks.ts';

/**
 * The sources of a story. A new source is one function here, a word in STORY_SOURCES and, if it needs rows that are not
 * read yet, a member of RecordStory or Reconciled.
 */
const SOURCES: readonly Source[] = [
  incidents,
  requests,
  expectations,
  webhooks,
  variants,
  listings,
  answers,
  checks,
  statements,
  moves,
  forwards,
  findings,
  matches,
  breaks,
  exceptions,
  prunings,
];

/** The story of the record behind a break or an exception, in time order; empty where there is none. */
export async function recordStory(
  archive: Pick<Archive, 'story'>,
  { reference, environment, recordId }: Pick<KeptBreak, 'reference' | 'environment' | 'recordId'>,
  wording: Wording,
): Promise<Entry[]> {
  if (reference === null || recordId === null) return [];
  const { records, reconciled } = await archive.story(reference, { environment });
  const own = records.find(({ record }) => record.id === recordId);
  if (own === undefined) return [];
  return entriesOf({ ...own, reconciled: reconciledOf(own.record, reconciled), incidents: [] }, wording);
}

/** The story of one record in time order; at the same time causes come before their consequences. Pure. */
export function entriesOf(story: WholeStory, wording: Wording): Entry[] {
  return SOURCES.flatMap((source) => source(story, wording)).sort(
    (one, other) => one.atMs - other.atMs || placeOf(one) - placeOf(other),
  );
}

function placeOf({ source }: Entry): number {
  return STORY_SOURCES.indexOf(source);
}

/** An entry that stands for `times` equal neighbours, the last of them at `lastAtMs`. */
export interface GroupedEntry extends Entry {
  readonly times: number;
  readonly lastAtMs: number;
}

/** Equal neighbours as one: hourly checks of a waiting refund give a thousand equal answers. */
export function abridged(entries: readonly Entry[]): GroupedEntry[] {
  const grouped: GroupedEntry[] = [];
  for (const entry of entries) {
    const last = grouped.at(-1);
    const isEqual = entry.repeats !== undefined && last?.repeats === entry.repeats && last.source === entry.source;
    if (isEqual) grouped[grouped.length - 1] = { ...last, times: last.times + 1, lastAtMs: entry.atMs };
    else grouped.push({ ...entry, times: 1, lastAtMs: entry.atMs });
  }
  return grouped;
}
