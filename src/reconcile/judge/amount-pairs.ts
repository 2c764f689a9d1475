import type { TiedPair } from '../../store/scratch/pairs.ts';

/** A row of ours, with the days between which its line may come. */
export interface Sought {
  readonly id: number;
  readonly from: string;
  readonly until: string;
  /** What its line may move. */
  readonly keys: readonly string[];
}

export interface Offered {
  readonly id: number;
  readonly date: string;
  readonly key: string;
}

/**
 * Pairs lines and rows that have an amount and their days in common. Of many that are alike each is paired with the first of the
 * other side alone, which ties them together as well as every pair would: ten thousand of each are no hundred million pairs.
 * `apart`: pairs `LINE OURS` that a person took apart, and that never stand for others.
 */
export function amountPairs(
  rows: readonly Sought[],
  lines: readonly Offered[],
  apart: ReadonlySet<string>,
): TiedPair[] {
  const named = { lines: new Set<number>(), rows: new Set<number>() };
  for (const pair of apart) {
    const [line, ours] = pair.split(' ').map(Number) as [number, number];
    named.lines.add(line);
    named.rows.add(ours);
  }
  const sought = new Map<string, Map<string, Sought[]>>();
  for (const row of rows) {
    for (const key of new Set(row.keys)) {
      const own = named.rows.has(row.id) ? ` ${row.id}` : '';
      keep(inner(sought, key), `${row.from} ${row.until}${own}`, row);
    }
  }
  const offered = new Map<string, Map<string, Offered[]>>();
  for (const line of lines) {
    keep(inner(offered, line.key), `${line.date}${named.lines.has(line.id) ? ` ${line.id}` : ''}`, line);
  }
  const pairs: TiedPair[] = [];
  for (const [key, alike] of offered) {
    for (const theirs of alike.values()) {
      for (const ours of sought.get(key)?.values() ?? [])
        for (const pair of starOf(theirs, ours, apart)) pairs.push(pair);
    }
  }
  return pairs;
}

/** Lines that are alike and rows that are alike: the first of each with all of the other. */
function starOf(lines: readonly Offered[], rows: readonly Sought[], apart: ReadonlySet<string>): TiedPair[] {
  const [[line], [row]] = [lines, rows];
  if (line === undefined || row === undefined) return [];
  if (line.date < row.from || line.date > row.until || apart.has(`${line.id} ${row.id}`)) return [];
  return [
    ...lines.map(({ id }) => ({ line: id, ours: row.id })),
    ...rows.slice(1).map(({ id }) => ({ line: line.id, ours: id })),
  ];
}

function inner<T>(map: Map<string, Map<string, T[]>>, key: string): Map<string, T[]> {
  const known = map.get(key) ?? new Map<string, T[]>();
  map.set(key, known);
  return known;
}

function keep<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
