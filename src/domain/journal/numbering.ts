import { compareEntries, entryKey, type JournalEntry, type JournalLine, type NumberedEntry } from './entry.ts';

/**
 * Numbers the entries of a closing. Pure. `before`: everything that earlier closings of the period kept. Entries that say the
 * same as before keep their number; one that changed, or is no more, is taken back by a reversal of the same date and, where it
 * goes on, written anew; both follow the last number. Returns what this closing adds, in the order of the numbers.
 */
export function numberEntries(
  before: readonly NumberedEntry[],
  entries: readonly JournalEntry[],
  closing: number,
): NumberedEntry[] {
  const unreversed = new Map(unreversedEntries(before).map((entry) => [entryKey(entry), entry]));
  const wanted = new Map(entries.map((entry) => [entryKey(entry), entry]));
  const all = [...new Map<string, JournalEntry>([...unreversed, ...wanted])].sort(([, one], [, other]) =>
    compareEntries(one, other),
  );
  let number = before.reduce((most, one) => Math.max(most, one.number), 0);
  const added: NumberedEntry[] = [];
  for (const [key] of all) {
    const [old, now] = [unreversed.get(key), wanted.get(key)];
    if (old !== undefined && now !== undefined && saysTheSame(old, now)) continue;
    if (old !== undefined) added.push({ ...reversalOf(old), number: ++number, closing, reverses: old.number });
    if (now !== undefined) added.push({ ...now, number: ++number, closing, reverses: null });
  }
  return added;
}

/** Entries that no later one took back, without the reversals. */
export function unreversedEntries(entries: readonly NumberedEntry[]): NumberedEntry[] {
  const reversed = new Set(entries.map(({ reverses }) => reverses));
  return entries.filter(({ number, reverses }) => reverses === null && !reversed.has(number));
}

function reversalOf({ date, account, currency, lines }: NumberedEntry): JournalEntry {
  const back = lines.map((line) => ({ ...line, minor: -line.minor }));
  return { date, source: 'reversal', account, currency, lines: back };
}

/** The texts may differ: they are for the eye, and what is kept stays as it was printed. */
function saysTheSame(one: JournalEntry, other: JournalEntry): boolean {
  return moneyOf(one) === moneyOf(other);
}

function moneyOf({ lines }: JournalEntry): string {
  const money = ({ account, minor, reference, subject }: JournalLine) =>
    JSON.stringify([account, String(minor), reference, subject]);
  return lines.map(money).sort().join('\n');
}
