import { dayPlus } from '../../domain/reconciling/business-day.ts';
import type { MovedDay, StatementArchive, StatementSummary } from '../../store/statements.ts';
import type { HeldLines } from '../held-lines.ts';

type FileArchive = Pick<StatementArchive, 'movedOn'>;

/** The files of an account in one currency, in the order in which their balances go on. */
export interface FileChain {
  readonly files: readonly StatementSummary[];
  /**
   * What moved on the days of a file before it opens, by the files before it: one that begins within a day does not open with that
   * day. Empty for one that opens with its first day.
   */
  readonly before: (file: StatementSummary) => readonly MovedDay[];
}

export interface ChainOrder {
  /** The earliest first. */
  readonly files: readonly StatementSummary[];
  readonly currency: string;
  /** Files that came after the close of their days: no other file opens behind their lines. */
  readonly late: ReadonlySet<StatementSummary>;
}

/** Orders files, and finds where each of them opens. `archive` leaves out the lines of late files. */
export async function chainOf(
  archive: FileArchive,
  held: HeldLines,
  { files, currency, late }: ChainOrder,
): Promise<FileChain> {
  const ordered = orderedByBalances(files, currency);
  const found = new Map<number, readonly MovedDay[]>();
  const before = ({ statement }: StatementSummary) => found.get(statement) ?? [];
  for (const [index, file] of ordered.entries()) {
    const [opening, from] = [balanceOf(file, currency)?.opening ?? null, file.covers?.from];
    const to = file.covers?.to ?? '';
    const earlier = ordered.slice(0, index).filter((one) => !late.has(one));
    const meeting = earlier.filter(({ covers }) => covers !== null && from !== undefined && covers.to >= from);
    if (opening === null || from === undefined || meeting.length === 0) continue;
    const others = meeting.map(({ statement }) => statement);
    const last = meeting.reduce((day, { covers }) => (covers !== null && covers.to > day ? covers.to : day), from);
    const moved = await held.beside(file.statement, others, { from, to: last < to ? last : to });
    if (moved.length === 0 || opening === (await startOfDay(archive, { earlier, before, currency, day: from })))
      continue;
    found.set(file.statement, moved);
  }
  return { files: ordered, before };
}

export function balanceOf({ balances }: StatementSummary, currency: string) {
  return balances.find((one) => one.currency === currency);
}

export function sumOf(moved: readonly MovedDay[]): bigint {
  return moved.reduce((sum, { minor }) => sum + minor, 0n);
}

interface StartOrder {
  readonly earlier: readonly StatementSummary[];
  readonly before: FileChain['before'];
  readonly currency: string;
  readonly day: string;
}

/** The balance at the start of a day, by the last of the earlier files that states one. */
async function startOfDay(
  archive: FileArchive,
  { earlier, before, currency, day }: StartOrder,
): Promise<bigint | null> {
  const base = earlier.findLast((one) => balanceOf(one, currency)?.opening != null);
  const [opening, from] = [base === undefined ? null : balanceOf(base, currency)?.opening, base?.covers?.from];
  if (base === undefined || opening == null || from === undefined) return null;
  const order = { account: base.account, currency, from, to: dayPlus(day, -1) };
  return opening - sumOf(before(base)) + (from < day ? await archive.movedOn(order) : 0n);
}

/** Of files that begin on one day, one goes on where another one closes. */
function orderedByBalances(files: readonly StatementSummary[], currency: string): StatementSummary[] {
  const ordered: StatementSummary[] = [];
  const openingOf = (file: StatementSummary) => balanceOf(file, currency)?.opening ?? null;
  const closingOf = (file: StatementSummary) => balanceOf(file, currency)?.closing ?? null;
  for (const sameDay of Map.groupBy(files, ({ covers }) => covers?.from).values()) {
    const closing = new Map<bigint | null, number>();
    const count = (file: StatementSummary, by: number) =>
      closing.set(closingOf(file), (closing.get(closingOf(file)) ?? 0) + by);
    for (const file of sameDay) count(file, 1);
    /** No other file that is left closes with what this one opens with. */
    const isFree = (file: StatementSummary) => {
      const opening = openingOf(file);
      return opening === null || (closing.get(opening) ?? 0) === (closingOf(file) === opening ? 1 : 0);
    };
    const left = new Set(sameDay);
    while (left.size > 0) {
      const last = ordered.at(-1);
      const end = last === undefined ? null : closingOf(last);
      const free = [...left].filter(isFree);
      const among = free.length > 0 ? free : [...left];
      const next = among.find((one) => end !== null && openingOf(one) === end) ?? among[0];
      if (next === undefined) break;
      ordered.push(next);
      left.delete(next);
      count(next, -1);
    }
  }
  return ordered;
}
