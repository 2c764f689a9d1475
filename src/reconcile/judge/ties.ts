import type { OurRow } from '../../domain/matching/rows.ts';
import type { Item } from '../../domain/reconciling/break.ts';
import type { LooseLine } from '../../store/scratch/open-rows.ts';
import type { TiedPair } from '../../store/scratch/pairs.ts';
import type { Sides } from '../load/sides.ts';
import { bookOpen } from './book-open.ts';
import { countUnmatched } from './groups.ts';
import { list } from './list.ts';
import { looseItem } from './loose.ts';
import { posted } from './place-item.ts';
import type { MatchRun } from './run.ts';

/** Lines and rows of ours that are tied to one another, directly or through others. */
export interface Tied {
  readonly lines: readonly number[];
  readonly ours: readonly number[];
}

/** Candidates listed of one line: of ten thousand on each side every line would list them all. */
const MOST_CANDIDATES = 100;

/** Groups pairs that share a line or a row, in the order of their first pairs. */
export function tiedGroups(pairs: readonly TiedPair[]): Tied[] {
  const forest = new Forest();
  for (const { line, ours } of pairs) forest.join(`line ${line}`, `ours ${ours}`);
  const groups = new Map<string, { lines: Set<number>; ours: Set<number> }>();
  for (const { line, ours } of pairs) {
    const root = forest.rootOf(`line ${line}`);
    const group = groups.get(root) ?? { lines: new Set(), ours: new Set() };
    groups.set(root, group);
    group.lines.add(line);
    group.ours.add(ours);
  }
  return [...groups.values()].map(({ lines, ours }) => ({ lines: [...lines], ours: [...ours] }));
}

/** Names that are joined, directly or through others, have one root. */
class Forest {
  readonly #parents = new Map<string, string>();

  /** Each step also halves the path, so that ten thousand joined one after the other stay cheap. */
  rootOf(name: string): string {
    let at = name;
    for (;;) {
      const parent = this.#parents.get(at);
      if (parent === undefined) return at;
      const above = this.#parents.get(parent);
      if (above !== undefined) this.#parents.set(at, above);
      at = parent;
    }
  }

  join(one: string, other: string): void {
    const [root, joined] = [this.rootOf(one), this.rootOf(other)];
    if (root !== joined) this.#parents.set(joined, root);
  }
}

/**
 * Lists each line of a tie with its candidates, of which nothing else is said. Each line has its own amount as effect, the first
 * also minus what its candidates moved by us (docs/matching.md, Verdicts).
 */
export function reportTie(run: MatchRun, sides: Sides, lines: readonly LooseLine[], rows: readonly OurRow[]): void {
  const { window, books } = run;
  const [first] = lines;
  if (first === undefined) return;
  const inTime = lines.filter(({ date }) => date <= window.until);
  const late = run.late.of(rows, inTime);
  const booked = bookOpen(run, books.of(first), { sides, rows, lines: inTime, late });
  if (booked === null) return;
  for (const row of rows) countUnmatched(run, sides, row);
  const all = rows.map(({ reference }) => reference).sort();
  const candidates = all.slice(0, MOST_CANDIDATES);
  const detail = all.length > candidates.length ? `and ${all.length - candidates.length} more` : null;
  const lateLines = new Set(late.lines);
  const items: Item[] = [];
  for (const line of inTime) {
    const effect = line === first ? line.amount + booked.ofRows : line.amount;
    const item = posted(looseItem(run, line, 'ambiguous'), lateLines.has(line) ? window.from : null);
    if (item.place === null) continue;
    const facts = { ...item.facts, field: 'amount', detail };
    const listed = { ...item, facts, place: { ...item.place, effect, candidates } };
    items.push(listed);
    list(run, line, booked, listed);
  }
  booked.freeze(items);
}
