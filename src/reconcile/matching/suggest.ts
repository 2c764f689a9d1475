import { judgeGroup } from '../../domain/matching/judge.ts';
import { sumUntil } from '../../domain/matching/postings.ts';
import type { OurRow } from '../../domain/matching/rows.ts';
import { PAIR } from '../../domain/matching/terms.ts';
import type { LooseLine } from '../../store/scratch/open-rows.ts';
import type { TiedPair } from '../../store/scratch/pairs.ts';
import { amountPairs } from './amount-pairs.ts';
import { itemOf } from './place-item.ts';
import type { MatchRun } from './run.ts';
import type { Sides } from './sides.ts';
import { tiedGroups } from './ties.ts';

/** A line and a row of ours that nothing but amount and date brings together. */
export interface Suggestion {
  readonly row: OurRow;
  readonly line: LooseLine;
}

export interface Suggested {
  readonly pairs: readonly Suggestion[];
  /** Several lines or rows alike, of lines that name nothing: nobody can choose. */
  readonly ties: readonly { readonly lines: readonly LooseLine[]; readonly rows: readonly OurRow[] }[];
}

/**
 * Looks for the row of ours of each line by its amount, within the row's day and its due day. One line for one row is suggested.
 * Several for one are left open, and are a tie where the lines name nothing.
 */
export function suggestByAmount(
  run: MatchRun,
  sides: Sides,
  rows: readonly OurRow[],
  lines: readonly LooseLine[],
): Suggested {
  const terms = run.termsOf(sides, run.window.until);
  const sought = rows.map((row) => {
    const effect = sumUntil(judgeGroup(row, [], terms).ours, run.window.until);
    const amounts = [effect, row.amount ?? effect, -(row.amount ?? effect)];
    return {
      id: row.id,
      from: row.day,
      until: terms.dueDay(row),
      keys: amounts.map((amount) => `${row.kind} ${amount}`),
    };
  });
  const offered = lines.map(({ id, date, kind, amount }) => ({ id, date, key: `${kind} ${amount}` }));
  return sorted(amountPairs(sought, offered, run.apart), rows, lines);
}

function sorted(pairs: readonly TiedPair[], rows: readonly OurRow[], lines: readonly LooseLine[]): Suggested {
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const lineOf = new Map(lines.map((line) => [line.id, line]));
  const found = { pairs: [] as Suggestion[], ties: [] as { lines: LooseLine[]; rows: OurRow[] }[] };
  for (const group of tiedGroups(pairs)) {
    const tied = {
      lines: group.lines.flatMap((id) => lineOf.get(id) ?? []),
      rows: group.ours.flatMap((id) => rowOf.get(id) ?? []),
    };
    const [line] = tied.lines;
    const [row] = tied.rows;
    if (tied.lines.length === 1 && tied.rows.length === 1 && line !== undefined && row !== undefined) {
      found.pairs.push({ row, line });
    } else if (tied.lines.every((one) => one.reference === null && one.sessionId === null && one.group === null)) {
      found.ties.push(tied);
    }
  }
  return found;
}

/** Lists a suggestion: it explains its row and its line together, until a person confirms it or says no. */
export function reportSuggestion(run: MatchRun, sides: Sides, { row, line }: Suggestion): void {
  const { window, books, found } = run;
  const { ours } = judgeGroup(row, [], run.termsOf(sides, window.until));
  const book = books.of({ environment: row.environment, account: line.account, currency: line.currency });
  book.addAll('ours', ours, '');
  const effect = line.amount - sumUntil(ours, window.until);
  book.effects += effect;
  const about = { ...PAIR, code: 'suggested' as const, field: 'amount', ours: null, theirs: null, effect };
  const named = { ...line, type: line.type ?? ('other' as const) };
  found.suggested.push(itemOf({ ...about, line: named }, row, [named], sides, line.account));
  found.matches.push({ leg: sides.number, line: line.id, ours: row.id, pass: 'amount_and_date' });
}
