import { agrees, soughtAmounts } from '../../domain/matching/judge.ts';
import type { OurRow } from '../../domain/matching/rows.ts';
import { isCharge } from '../../domain/matching/sums.ts';
import { PAIR } from '../../domain/matching/terms.ts';
import type { LooseLine } from '../../store/scratch/open-rows.ts';
import type { TiedPair } from '../../store/scratch/pairs.ts';
import type { Sides } from '../load/sides.ts';
import { amountPairs } from './amount-pairs.ts';
import { asTheirs, bookOpen } from './book-open.ts';
import { countUnmatched } from './groups.ts';
import { list } from './list.ts';
import { itemOf, posted } from './place-item.ts';
import type { MatchRun } from './run.ts';
import { tiedGroups } from './ties.ts';

/** A line and a row of ours that nothing but amount and date brings together. */
export interface Suggestion {
  readonly row: OurRow;
  readonly line: LooseLine;
  /** Lines of its fee, tax and duty, which go with it. */
  readonly charges: readonly LooseLine[];
  readonly pass: SuggestingPass;
}

/** `settlement_day` looks for a batch on its own day, `amount_and_date` until it is due. */
export type SuggestingPass = 'settlement_day' | 'amount_and_date';

export interface Suggested {
  readonly pairs: readonly Suggestion[];
  /** Several lines or rows alike, of lines that name nothing: they fit equally well. */
  readonly ties: readonly { readonly lines: readonly LooseLine[]; readonly rows: readonly OurRow[] }[];
}

/** Rows of ours and lines that no pass before brought together. */
export interface LeftOver {
  readonly rows: readonly OurRow[];
  readonly lines: readonly LooseLine[];
  readonly pass: SuggestingPass;
}

/**
 * Looks for the row of ours of each line by what it moves with its charges, within the row's day and its due day, or on its day alone. One
 * line for one row is suggested where both agree. Several for one are left open, and are a tie where the lines name nothing.
 */
export function suggestByAmount(run: MatchRun, sides: Sides, { rows, lines, pass }: LeftOver): Suggested {
  const terms = run.termsOf(sides, run.window.until);
  const sought = rows.map((row) => {
    return {
      id: row.id,
      from: row.day,
      until: pass === 'settlement_day' ? row.day : terms.dueDay(row),
      keys: soughtAmounts(row, terms).map((amount) => `${row.kind} ${amount}`),
    };
  });
  const chargesOf = chargesAmong(lines);
  const offered = lines.map((line) => {
    const moved = chargesOf(line).reduce((sum, { amount }) => sum + amount, line.amount);
    return { id: line.id, date: line.date, key: `${line.kind} ${moved}` };
  });
  const found = sorted(amountPairs(sought, offered, run.apart), rows, lines);
  const pairs = found.pairs.map((pair) => ({ ...pair, charges: chargesOf(pair.line), pass }));
  const isAgreeing = ({ row, line, charges }: Suggestion) => agrees(row, [line, ...charges].map(asTheirs), terms);
  return { pairs: pairs.filter(isAgreeing), ties: found.ties };
}

function sorted(pairs: readonly TiedPair[], rows: readonly OurRow[], lines: readonly LooseLine[]) {
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const lineOf = new Map(lines.map((line) => [line.id, line]));
  const found = {
    pairs: [] as Pick<Suggestion, 'row' | 'line'>[],
    ties: [] as { lines: LooseLine[]; rows: OurRow[] }[],
  };
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

/** Finds the lines of charges that have the reference of a line in its account, where no other line that they may be of has it. */
function chargesAmong(lines: readonly LooseLine[]): (line: LooseLine) => readonly LooseLine[] {
  const nameOf = ({ account, reference }: LooseLine) => JSON.stringify([account, reference]);
  const named = Map.groupBy(lines, nameOf);
  return (line) => {
    const others = line.reference === null ? [] : (named.get(nameOf(line)) ?? []).filter(({ id }) => id !== line.id);
    return others.every(({ type, kind }) => kind === null && type !== null && isCharge({ type })) ? others : [];
  };
}

/** Lists a suggestion: its row, its line and the lines of its charges agree, and a person confirms it or says no. */
export function reportSuggestion(run: MatchRun, sides: Sides, { row, line, charges, pass }: Suggestion): void {
  run.found.matches.push({ leg: sides.number, line: line.id, ours: row.id, pass });
  const [rows, lines] = [[row], [line, ...charges]];
  const late = run.late.of(rows, lines);
  const booked = bookOpen(run, run.books.of(line), { sides, rows, lines, late, isTogether: true });
  if (booked === null) return;
  countUnmatched(run, sides, row);
  const detail = pass === 'settlement_day' ? pass : null;
  const about = { ...PAIR, code: 'suggested' as const, field: 'amount', ours: null, theirs: null, detail, effect: 0n };
  const named = asTheirs(line);
  const item = itemOf({ ...about, line: named }, row, [named], sides, line.account, run.window.until);
  const listed = posted(item, booked.postsOn);
  list(run, line, booked, listed);
  booked.freeze([listed]);
}
