import type { BookPart, Pruning } from '../store/pruning.ts';

/** What closed periods keep of people, or would lose. */
export interface PrunedBooks {
  /** Lines of statements that lost text and counterparty. */
  readonly lines: number;
  readonly comments: number;
  /** Frozen reports. */
  readonly reports: number;
}

/** Only of closed periods that ended before these times; null: never. */
export interface BookAges {
  readonly textsBeforeMs: number | null;
  readonly reportsBeforeMs: number | null;
}

const COUNTED = { texts: 'lines', comments: 'comments', reports: 'reports' } as const satisfies Record<
  BookPart,
  keyof PrunedBooks
>;
export const NO_BOOKS: PrunedBooks = { lines: 0, comments: 0, reports: 0 };

export interface BookParts {
  readonly pruning: Pruning;
  /** The business day of a time. */
  readonly dayOf: (ms: number) => string;
  /** Aborted when the process is to stop; the remaining rows are for the next run. */
  readonly signal: AbortSignal;
}

/** Counts what `eraseBooks` would erase; changes nothing. */
export function surveyBooks(ages: BookAges, parts: BookParts): Promise<PrunedBooks> {
  return everyStep(ages, parts, parts.pruning.surveyBooks, () => {});
}

/** Erases texts, comments and reports of closed periods, each in pieces of some milliseconds; `onProgress` gets what is done so far. */
export function eraseBooks(
  { by, ...ages }: BookAges & { readonly by?: string | undefined },
  parts: BookParts,
  onProgress: (done: PrunedBooks) => void,
): Promise<PrunedBooks> {
  const { pruning } = parts;
  const step: Pruning['surveyBooks'] = (order) => pruning.pruneBooks({ ...order, ...(by !== undefined && { by }) });
  return everyStep(ages, parts, step, onProgress);
}

async function everyStep(
  { textsBeforeMs, reportsBeforeMs }: BookAges,
  { dayOf, signal }: BookParts,
  step: Pruning['surveyBooks'],
  onProgress: (done: PrunedBooks) => void,
): Promise<PrunedBooks> {
  const total = { ...NO_BOOKS };
  const times = { texts: textsBeforeMs, comments: textsBeforeMs, reports: reportsBeforeMs } as const;
  for (const part of ['texts', 'comments', 'reports'] as const) {
    const beforeMs = times[part];
    if (beforeMs === null) continue;
    for (let done = false; !done && !signal.aborted; ) {
      const answer = await step({ part, beforeMs, beforeDay: dayOf(beforeMs) });
      total[COUNTED[part]] += answer.count;
      done = answer.done;
      if (answer.count > 0 && !done) onProgress({ ...total });
    }
  }
  return total;
}
