import type { UnparsedRow } from '../../domain/statements/statement.ts';
import type { MovedDay, StatementSummary } from '../../store/statements.ts';
import { balanceOf, type FileChain, sumOf } from './file-chain.ts';
import { type FileReader, isOutdated } from './file-outdated.ts';
import { nameOf } from './unread-rows.ts';

/** `open`: other files do not show all of them. `mended`: they do. `outdated`: a fuller export of its days speaks for the file. */
export type UnreadState = 'open' | 'mended' | 'outdated';

/** How the unreadable rows of a file stand beside what other files show of its days. */
export interface Unread {
  readonly state: UnreadState;
  /** What the closing balance has beyond the lines of all files; null: it states none in these days. */
  readonly minor: bigint | null;
}

interface UnreadOrder {
  readonly chain: FileChain;
  readonly currency: string;
  readonly rows: readonly UnparsedRow[];
  /** What the closing balance has beyond the lines of the file; null: it states none in these days. */
  readonly beyond: bigint | null;
  /** Those that came after the close of their days. */
  readonly lateFiles: ReadonlySet<StatementSummary>;
  /** The last day of the period. */
  readonly until: string;
}

/**
 * Finds what other files show of the days of a file with unreadable rows: its closing balance holds these lines, so that the rows are
 * the less of it. It does not hold lines that a fuller export of the same days added, nor those after the day up to which they are
 * what it is short of, nor those of its last day that came after its end. `late`: what lines moved that came for the rows after the close of their days; they post on the first open day.
 */
export async function unreadOf(
  files: FileReader,
  file: StatementSummary,
  { chain, currency, rows, beyond, lateFiles, until }: UnreadOrder,
): Promise<Unread & { readonly late: bigint }> {
  const { statement, covers } = file;
  if (covers === null || beyond === null || rows.length === 0) return { state: 'open', minor: beyond, late: 0n };
  const within = chain.files.filter((one) => one !== file && isWithin(one, file, currency));
  const beside = async (others: readonly StatementSummary[]): Promise<Unread & { readonly minor: bigint }> => {
    if (others.length === 0) return { state: 'open', minor: beyond };
    const numbers = others.map((one) => one.statement);
    const shown = await files.held.beside(statement, numbers, covers);
    const moved = less(shown, chain.before(file));
    if (isHeld(moved, beyond, rows.length)) return { state: 'mended', minor: 0n };
    if (await isOutdated(files, { file, rows, others, currency, until })) return { state: 'outdated', minor: 0n };
    const [earlier, all] = [beyond - sumOf(moved.filter(({ day }) => day < covers.to)), beyond - sumOf(moved)];
    if (earlier === all) return { state: 'open', minor: all };
    const told = await toldBySameRows(files, { file, rows, others, currency });
    return { state: 'open', minor: likelyOf({ earlier, all, told }) };
  };
  const now = await beside(within);
  const inTime = within.filter((one) => !lateFiles.has(one));
  if (lateFiles.has(file) || inTime.length === within.length) return { ...now, late: 0n };
  const atClose = await beside(inTime);
  return { ...now, late: atClose.minor - now.minor };
}

interface SameRowsOrder extends Pick<UnreadOrder, 'rows' | 'currency'> {
  readonly file: StatementSummary;
  readonly others: readonly StatementSummary[];
}

/** What the unreadable rows of a file moved, by files that have just these rows and all lines of the days that both show. */
async function toldBySameRows(
  { archive, held }: FileReader,
  { file, rows, others, currency }: SameRowsOrder,
): Promise<bigint[]> {
  const names = new Set(rows.map(nameOf));
  const told: bigint[] = [];
  for (const other of others) {
    const { opening = null, closing = null, sum = 0n } = balanceOf(other, currency) ?? {};
    if (opening === null || closing === null || other.covers === null || other.unparsed !== names.size) continue;
    const hasSame = (await archive.unparsedRows(other.statement)).every((row) => names.has(nameOf(row)));
    if (hasSame && (await held.beside(other.statement, [file.statement], other.covers)).length === 0) {
      told.push(closing - opening - sum);
    }
  }
  return told;
}

interface Readings {
  /** Where the lines of its last day that other files show came after its end. */
  readonly earlier: bigint;
  /** Where they came before. */
  readonly all: bigint;
  /** What other files say of the same rows. */
  readonly told: readonly bigint[];
}

/**
 * What the unreadable rows of a file moved, of which the last day does not tell where in it the file ends: the reading that another
 * file has too, else what that one says, else nothing where one reading explains the file without them. Pure.
 */
export function likelyOf({ earlier, all, told }: Readings): bigint {
  if (told.includes(earlier)) return earlier;
  if (told.includes(all)) return all;
  return told[0] ?? (earlier === 0n ? earlier : all);
}

/** Whether the lines up to a day are what a closing balance is short of, at least one for each unreadable row. Pure. */
export function isHeld(beside: readonly MovedDay[], beyond: bigint, rows: number): boolean {
  let [minor, lines] = [0n, 0];
  return beside.some((day) => {
    minor += day.minor;
    lines += day.lines;
    return beyond !== 0n && minor === beyond && lines >= rows;
  });
}

/** What moved day by day, without what lies before the file opens. */
function less(shown: readonly MovedDay[], before: readonly MovedDay[]): MovedDay[] {
  const earlier = before.map(({ day, minor, lines }) => ({ day, minor: -minor, lines: -lines }));
  const days = Map.groupBy([...shown, ...earlier], ({ day }) => day);
  const sums = [...days].map(([day, all]) => ({
    ...{ day, minor: sumOf(all) },
    lines: all.reduce((sum, one) => sum + one.lines, 0),
  }));
  return sums.toSorted((one, other) => (one.day < other.day ? -1 : 1));
}

function isWithin(one: StatementSummary, file: StatementSummary, currency: string): boolean {
  const { covers } = one;
  if (covers === null || file.covers === null) return false;
  const { from, to } = file.covers;
  if (covers.to < from || covers.from > to) return false;
  if (covers.from < to) return true;
  const opening = balanceOf(one, currency)?.opening ?? null;
  return covers.to === to && (opening === null || opening !== (balanceOf(file, currency)?.closing ?? null));
}
