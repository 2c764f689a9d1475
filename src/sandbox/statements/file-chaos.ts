import { createHash } from 'node:crypto';
import { refuseControl } from '../wire/refusal.ts';
import { formatMoney, MINOR, type Money } from '../world/money.ts';
import type { EntryType } from '../world/state.ts';
import { dayAfter } from './days.ts';
import type { Line, Statement } from './statement.ts';

/**
 * The faults of a statement file, each with its number of lines. The file stays true to itself: its balances and totals are
 * those of the lines it has, as if the other side had booked them so. A line has one fault at most.
 */
export const FILE_FAULTS = ['fee', 'late', 'split', 'altered', 'doubled', 'lost', 'dialect'] as const;
export type FileFault = (typeof FILE_FAULTS)[number];
export type FileChaos = Partial<Record<FileFault, number | undefined>>;

/** One planted fault: the value that the books have, and the lines that the file has in its place. */
export interface PlantedLine {
  readonly kind: FileFault;
  readonly type: EntryType;
  readonly reference: string;
  readonly group: string;
  readonly field: 'amount' | 'gross' | 'fee' | 'date';
  readonly books: string;
  /** None when lost, two when doubled or split, else one. */
  readonly lines: readonly Line[];
  readonly file: readonly string[];
}

/** The statement with faults in lines that depend on `seed` alone. Throws 422 when it has fewer lines that can have one. */
export function plantFaults(
  statement: Statement,
  chaos: FileChaos,
  seed: number,
): { statement: Statement; planted: PlantedLine[] } {
  const faults = new Map<Line, PlantedLine>();
  for (const kind of FILE_FAULTS) {
    const wanted = chaos[kind] ?? 0;
    if (wanted === 0) continue;
    const able = statement.lines.filter((line) => !faults.has(line) && canHave(kind, line, statement));
    if (able.length < wanted) {
      throw refuseControl(
        422,
        `${wanted} lines were to be ${WORDS[kind]}, and ${able.length} lines of this statement can be`,
        'Ask for fewer, or for more days.',
      );
    }
    const order = new Map(able.map((line, position) => [line, drawn(seed, kind, position, line.reference)]));
    const struck = able.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)).slice(0, wanted);
    for (const line of struck)
      faults.set(line, strike(kind, line, statement, drawn(seed, kind, 'size', order.get(line) ?? 0)));
  }
  const lines = statement.lines
    .flatMap((line) => faults.get(line)?.lines ?? [line])
    .toSorted((a, b) => a.date.localeCompare(b.date)); // late ones; the sort is stable
  const planted = statement.lines.flatMap((line) => faults.get(line) ?? []);
  return { statement: { ...statement, lines }, planted };
}

const WORDS: Readonly<Record<FileFault, string>> = {
  fee: 'given a wrong fee',
  late: 'late',
  split: 'split',
  altered: 'altered',
  doubled: 'doubled',
  lost: 'lost',
  dialect: 'written in another dialect',
};

const LATEST_DAYS = 5;

function canHave(kind: FileFault, line: Line, { kind: of, to }: Statement): boolean {
  const charge = line.type === 'fee' || line.type === 'tax';
  if (kind === 'fee') return of === 'settlement' ? line.fee > 0n : line.type === 'fee';
  if (kind === 'late') return dayAfter(line.date, LATEST_DAYS) <= to;
  if (kind === 'altered') return !charge;
  if (kind === 'split') return !charge && magnitude(principal(line, of)) >= 4n * (line.fee + line.tax + MINOR);
  return true;
}

const magnitude = (amount: Money): Money => (amount < 0n ? -amount : amount);
const principal = (line: Line, kind: Statement['kind']): Money => (kind === 'settlement' ? line.gross : line.amount);

/** `chance` in [0, 1) decides how much is altered, split or late. */
function strike(kind: FileFault, line: Line, { kind: of }: Statement, chance: number): PlantedLine {
  const field = of === 'settlement' ? 'gross' : 'amount';
  const { type, reference, group } = line;
  const told = { kind, type, reference, group };
  const show = (shown: Line) => formatMoney(shown[field]);
  const by = (amount: Money): Line => {
    const gross = of === 'settlement' ? line.gross + amount : line.gross;
    return { ...line, gross, amount: line.amount + amount };
  };
  switch (kind) {
    case 'lost':
      return { ...told, field, books: show(line), lines: [], file: [] };
    case 'doubled': {
      const lines = [{ ...line }, { ...line }];
      return { ...told, field, books: show(line), lines, file: lines.map(show) };
    }
    case 'split': {
      const whole = principal(line, of);
      const part = (BigInt(Math.floor(25 + chance * 50)) * whole) / 100n;
      const rest = whole - (part / MINOR) * MINOR;
      // fee and tax stay with the first part
      const second = { ...line, amount: rest, gross: of === 'settlement' ? rest : 0n, fee: 0n, tax: 0n };
      const lines = [by(-rest), second];
      return { ...told, field, books: show(line), lines, file: lines.map(show) };
    }
    case 'altered': {
      const more = BigInt(Math.floor(1 + chance * 900)) * MINOR;
      const altered = by(line.amount < 0n ? -more : more);
      return { ...told, field, books: show(line), lines: [altered], file: [show(altered)] };
    }
    case 'fee': {
      const more = BigInt(Math.floor(1 + chance * 90)) * MINOR;
      const fee = of === 'settlement' ? { fee: line.fee + more } : {};
      const wrong = { ...line, ...fee, amount: line.amount - more };
      const value = (shown: Line) => formatMoney(of === 'settlement' ? shown.fee : magnitude(shown.amount));
      return { ...told, field: 'fee', books: value(line), lines: [wrong], file: [value(wrong)] };
    }
    case 'dialect': // how it is written is decided where it is written
      return { ...told, field: 'date', books: line.date, lines: [{ ...line }], file: [line.date] };
    case 'late': {
      const date = dayAfter(line.date, 2 + Math.floor(chance * (LATEST_DAYS - 1)));
      return { ...told, field: 'date', books: line.date, lines: [{ ...line, date }], file: [date] };
    }
  }
}

function drawn(seed: number, ...labels: readonly (string | number)[]): number {
  return (
    createHash('sha256')
      .update([seed, 'file', ...labels].join(':'))
      .digest()
      .readUInt32BE(0) /
    2 ** 32
  );
}
