import type { StatementLine, StatementTotals, UnparsedRow } from '../../domain/statements/statement.ts';
import type { Profile } from '../profile/load.ts';
import type { Row, RowBatch } from './cell.ts';
import { Checks } from './checks.ts';
import { type Columns, namingCells } from './columns.ts';
import { DateKinds } from './date-kinds.ts';
import { lineLikeReader, refuseLineInFooter, statedTotals } from './footer.ts';
import { lineFingerprint, Occurrences, rowFingerprint } from './occurrences.ts';
import { isFault, type RowReader, rowReader } from './row-reader.ts';
import { statedRows } from './stated-rows.ts';
import { type NumberedRow, Table } from './table.ts';

/** Characters of the value of an unreadable row that are kept. */
const LONGEST_VALUE = 1_000;

function shortened(value: string): string {
  return value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value;
}

/** Turns the rows of one file into lines, unreadable rows, and totals. */
export class LineReader {
  readonly #profile: Profile;
  readonly #file: string;
  readonly #table: Table;
  readonly #checks: Checks;
  readonly #occurrences = new Occurrences();
  #read: RowReader | null = null;
  #isStated: ReturnType<typeof statedRows> | null = null;
  #dates: DateKinds | null = null;
  #naming: ((row: Row) => Row) | null = null;
  #lines: StatementLine[] = [];
  #unparsed: UnparsedRow[] = [];

  constructor(profile: Profile, file: string) {
    this.#profile = profile;
    this.#file = file;
    this.#table = new Table(profile, file);
    this.#checks = new Checks({ running: profile.balance.running, net: profile.net });
  }

  take(batch: Pick<RowBatch, 'firstRow' | 'rows'>): void {
    this.#table.take(batch, (row) => this.#line(row));
  }

  /** Returns what was read since the last call. */
  ready(): { readonly lines: readonly StatementLine[]; readonly unparsed: readonly UnparsedRow[] } {
    const ready = { lines: this.#lines, unparsed: this.#unparsed };
    this.#lines = [];
    this.#unparsed = [];
    return ready;
  }

  /** Reads the last rows, and checks what the file states. Throws StatementFileError. */
  finish(): StatementTotals {
    const footer = this.#table.finish((row) => this.#line(row));
    this.#dates?.refuse(this.#file);
    refuseLineInFooter(this.#file, this.#profile, footer, {
      line: this.#reader(),
      lineLike: lineLikeReader(this.#profile, this.#columns()),
    });
    return this.#checks.totals(statedTotals(this.#file, this.#profile, this.#table, this.#checks.currencies()));
  }

  #line({ row, number }: NumberedRow): void {
    this.#isStated ??= statedRows(this.#profile, this.#columns());
    if (this.#isStated(row, number)) return;
    this.#dates ??= new DateKinds(this.#profile, this.#columns());
    this.#dates.see(row, number);
    const read = this.#reader()(row);
    if (isFault(read)) {
      // The cells of a row that is wrong as a whole are not in their columns.
      const fingerprint = rowFingerprint(this.#profile.owner, read.column === null ? row : this.#namingCells(row));
      const reason = `It ${read.reason}${read.reason.endsWith('?') ? '' : '.'}`;
      this.#unparsed.push({
        row: number,
        ...read,
        value: shortened(read.value),
        reason,
        fingerprint,
        occurrence: this.#occurrences.count(fingerprint),
      });
      this.#checks.unparsed();
      return;
    }
    const { said } = read;
    const fingerprint = lineFingerprint(said);
    this.#checks.line(read, number);
    this.#lines.push({ ...said, row: number, fingerprint, occurrence: this.#occurrences.count(fingerprint) });
  }

  #reader(): RowReader {
    this.#read ??= rowReader(this.#profile, this.#columns());
    return this.#read;
  }

  #namingCells(row: Row): Row {
    this.#naming ??= namingCells(this.#profile, this.#columns());
    return this.#naming(row);
  }

  #columns(): Columns {
    const { columns } = this.#table;
    if (columns === null) throw new TypeError('The header has not been read.');
    return columns;
  }
}
