import { latest } from '../reconciling/business-day.ts';
import type { BookFile } from './book-file.ts';
import type { MovedDay } from './book-lines.ts';
import type { Doubtful } from './level.ts';
import { sumOf } from './rivalry.ts';
import { afterOf, insideOf, type Listed, minorOf, type Residue, type ResidueOrder, residueOf } from './unread.ts';

/** Where a file opens. */
export interface Place {
  /** What other files show of its days before it opens. */
  readonly before: readonly MovedDay[];
  readonly residue: Residue;
  /** What the files before it and their lines make there; null: nothing is known. */
  readonly expected: bigint | null;
  /** Of it, what unreadable rows moved that the file has, too: it opens before them. */
  readonly inside: bigint;
  /** What it opens with beyond that. */
  readonly variance: bigint;
  /** Wrong totals of files that show the same days: it opens before them. */
  readonly wrong: readonly Doubtful[];
}

/** What is known of a book where a file opens. */
export interface Known {
  /** What balances state beyond lines; null: no balance is known. */
  readonly level: bigint | null;
  readonly listed: readonly Listed[];
  readonly wrong: readonly Doubtful[];
}

/** Finds where among the lines of its days a file opens: where its balance is what is expected there, else behind those of the files before it. */
export function placeOf(order: ResidueOrder, file: BookFile, known: Known): Place {
  const { files, lines } = order;
  const meeting = files.slice(0, files.indexOf(file)).filter(({ to }) => to >= file.from);
  const last = latest([file.from, ...meeting.map(({ to }) => to)]);
  const days = { from: file.from, to: last < file.to ? last : file.to };
  const beside = lines.beside(file, meeting, days);
  const atStart = opensAt(order, file, known, []);
  return atStart.fits || beside.length === 0 ? atStart : opensAt(order, file, known, beside);
}

function opensAt(
  order: ResidueOrder,
  file: BookFile,
  { level, listed, wrong }: Known,
  before: readonly MovedDay[],
): Place & { readonly fits: boolean } {
  const { unread, from } = file;
  const expected = level === null ? null : level + order.lines.before(from) + sumOf(before).minor;
  // With rows that cannot be read, a file that states its closing balance alone goes on from what is known.
  const opening = file.opening ?? (unread.length > 0 && file.closing !== null ? expected : null);
  const residue = residueOf(order, { ...file, opening }, before);
  const told = insideOf(listed, unread, residue.state === 'outdated' ? null : residue.minor);
  const place = { before, residue, expected: null, inside: told ?? 0n, variance: 0n, wrong: [], fits: false };
  if (expected === null || opening === null) return place;
  // A file whose first rows are unreadable opens behind them.
  const inside = opening === expected ? 0n : (told ?? expected - opening);
  const open = expected - inside;
  const beside = wrong.filter(({ day }) => day >= from);
  const isBefore = opening !== open && opening === open - minorOf(beside);
  const goesOn = isBefore || opening === open || opening === open - afterOf(listed, unread, file.to);
  return {
    ...{ before, residue, expected: open, inside, variance: goesOn ? 0n : opening - open },
    ...{ wrong: isBefore ? beside : [], fits: goesOn && (inside === 0n || told !== null) },
  };
}
