import type { Environment } from '../environment.ts';
import type { LineType, StatementKind } from './lines.ts';

/*
 * Statements: files that say what moved an account, line by line. A line is never an observation of a record: it is the
 * other side of a leg (decision 97). Amounts are minor units, exact, of the line's own currency.
 */

/** Whose money a file shows. Two accounts of one name are one account only when all of it agrees. */
export interface Account {
  readonly name: string;
  readonly kind: StatementKind;
  readonly environment: Environment;
}

export interface StatementLine {
  /** As a spreadsheet shows it: the first row of the file is 1. */
  readonly row: number;
  /** sha256 of what the line says, without its row and its running balance. */
  readonly fingerprint: string;
  /** From 1: how many lines of this fingerprint the file has had, this one included. */
  readonly occurrence: number;
  /** `yyyy-MM-dd`, in the profile's zone. */
  readonly date: string;
  /** `yyyy-MM-dd`; null: not said. */
  readonly valueDate: string | null;
  /** Milliseconds since 1970, when the file says a time; null: only the date is known. */
  readonly atMs: number | null;
  /** Null: the profile does not know the file's word, which is `typeText`. */
  readonly type: LineType | null;
  readonly typeText: string;
  readonly currency: string;
  /** What moves the balance; negative takes money away. */
  readonly amount: bigint;
  /** The side of a gross amount before fee, tax and duty (docs/matching.md, Groups), without direction. */
  readonly principal: bigint;
  /** Positive when charged; null: the file does not say it. */
  readonly fee: bigint | null;
  readonly tax: bigint | null;
  readonly duty: bigint | null;
  /** The running balance after this line; null: not said. */
  readonly balance: bigint | null;
  readonly reference: string | null;
  readonly sessionId: string | null;
  readonly transactionReference: string | null;
  /** The settlement batch, or the two lines of a conversion. */
  readonly group: string | null;
  readonly text: string | null;
  readonly counterparty: string | null;
}

/** A row that could not be read. The rest of the file goes on. */
export interface UnparsedRow {
  readonly row: number;
  /** The column's name as in the file, or its number; null when the row as a whole is not readable. */
  readonly column: string | null;
  readonly value: string;
  /** A sentence: what is wrong and what to do. */
  readonly reason: string;
  /** Null: it cannot be read. */
  readonly date: string | null;
  /** Null: it cannot be read. */
  readonly currency: string | null;
  /** sha256 of the account and the raw cells of its columns but the running balance, so that overlapping files double no such row. */
  readonly fingerprint: string;
  readonly occurrence: number;
}

/** What a file can state of itself. */
export const CONTROLS = ['rows', 'sum', 'closing', 'running', 'net'] as const;

/** A cell of a file: its row as a spreadsheet shows it, and its column by its header or its number from 1. */
export interface CellPlace {
  readonly row: number;
  readonly column: string;
}

/** A total or balance that the file states, held against its lines. */
export interface ControlCheck {
  readonly control: (typeof CONTROLS)[number];
  readonly currency: string | null;
  readonly stated: bigint;
  readonly computed: bigint;
  /** Where the file states it. */
  readonly cell: CellPlace;
  /** The row of the first line that does not add up; null when the check is of the whole file. */
  readonly row: number | null;
}

/** What a file says as a whole, known after its last row. */
export interface StatementTotals {
  readonly lines: number;
  readonly unparsed: number;
  /** By currency: balances as stated, else opening + lines, or closing - lines where all rows could be read; null: not said. */
  readonly balances: readonly {
    readonly currency: string;
    readonly opening: bigint | null;
    readonly closing: bigint | null;
    /** Of the readable lines. */
    readonly sum: bigint;
  }[];
  /** The days that the file covers, `yyyy-MM-dd`, both included; null for a file without a line that does not say it. */
  readonly covers: { readonly from: string; readonly to: string } | null;
  /** The file says which days it covers; otherwise they are those of its lines. */
  readonly statesDays: boolean;
  /** Checks that failed; empty when everything that the profile declares adds up. */
  readonly controls: readonly ControlCheck[];
}
