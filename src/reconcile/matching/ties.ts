import { judgeGroup } from '../../domain/matching/judge.ts';
import { sumUntil } from '../../domain/matching/postings.ts';
import type { OurRow } from '../../domain/matching/rows.ts';
import type { LooseLine } from '../../store/scratch/open-rows.ts';
import { looseItem } from './loose.ts';
import type { MatchRun } from './run.ts';
import type { Sides } from './sides.ts';

/** A line and a row of ours that might belong together. */
export interface Pair {
  readonly line: number;
  readonly ours: number;
}

/** Lines and rows of ours that are tied to one another, directly or through others. */
export interface Tied {
  readonly lines: readonly number[];
  readonly ours: readonly number[];
}

/** Groups pairs that share a line or a row, in the order of their first pairs. */
export function tiedGroups(pairs: readonly Pair[]): Tied[] {
  const groupOf = new Map<string, Set<Pair>>();
  for (const pair of pairs) {
    const [left, right] = [groupOf.get(`line ${pair.line}`), groupOf.get(`ours ${pair.ours}`)];
    const joined = new Set<Pair>([...(left ?? []), ...(right ?? []), pair]);
    for (const { line, ours } of joined) {
      groupOf.set(`line ${line}`, joined);
      groupOf.set(`ours ${ours}`, joined);
    }
  }
  return [...new Set(groupOf.values())].map((group) => ({
    lines: [...new Set([...group].map(({ line }) => line))],
    ours: [...new Set([...group].map(({ ours }) => ours))],
  }));
}

/**
 * Lists each line of a tie with its candidates, of which nothing else is said. Each line has its own amount as effect, the first
 * also minus what its candidates moved by us (RECONCILIATION 6, Signs).
 */
export function reportTie(run: MatchRun, sides: Sides, lines: readonly LooseLine[], rows: readonly OurRow[]): void {
  const { window, books, found } = run;
  const [first] = lines;
  if (first === undefined) return;
  const book = books.of({ environment: first.environment, account: first.account, currency: first.currency });
  const judged = rows.map((row) => judgeGroup(row, [], run.termsOf(sides, window.until)));
  for (const { ours } of judged) book.addAll('ours', ours, '');
  const ours = judged.reduce((sum, one) => sum + sumUntil(one.ours, window.until), 0n);
  const candidates = rows.map(({ reference }) => reference).sort();
  for (const line of lines) {
    if (line.date > window.until) continue;
    const effect = line === first ? line.amount - ours : line.amount;
    book.effects += effect;
    const item = looseItem(run, line, 'ambiguous');
    if (item.place === null) continue;
    const facts = { ...item.facts, field: 'amount' };
    found.breaks.push({ ...item, facts, place: { ...item.place, effect, candidates } });
  }
}
