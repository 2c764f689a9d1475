import { owedOf } from '../../domain/exceptions/owed.ts';
import {
  type Amount,
  addAmounts,
  compareAmounts,
  formatAmount,
  parseAmount,
  subtractAmounts,
  ZERO,
} from '../../domain/money/amount.ts';
import { compareTexts } from '../../domain/records/observation.ts';
import type { Exception } from '../../store/exceptions.ts';
import { amountCell, dayCell, type SheetCell, textCell, valueCell, wholeCell } from './cells.ts';
import { TOTAL } from './columns.ts';
import { csvFile } from './csv.ts';

export const CLAIM_COLUMNS = [
  'id',
  'reference',
  'date',
  'charged',
  'schedule',
  'difference',
  'currency',
  'evidence',
  'claim',
  'basis',
  'state',
] as const;

/** What the service owes, in one currency: a file that its support desk can work through. */
export interface ClaimsFile {
  readonly currency: string;
  readonly text: string;
  readonly claims: number;
  /** Decimal text. */
  readonly difference: string;
}

/** Names of files, by the number of the statement that each was imported as. */
export type FileNames = ReadonlyMap<number, string>;

/** Claims that say an amount again, by the id of the claim that counts. */
export type Followers = ReadonlyMap<string, readonly Exception[]>;

/** What is known about claims beside their exceptions. */
export interface ClaimPapers {
  readonly files: FileNames;
  readonly followers: Followers;
  /** What the fee schedule says of a claimed charge, by the id of the exception. */
  readonly scheduled: ReadonlyMap<string, Amount>;
}

/**
 * Returns the claims by currency, ordered by date, reference and id. Control totals are the last row. An amount that two exceptions
 * are about stands once: where the wallet shows it, with what else shows it as its evidence.
 */
export function claimsFiles(claims: readonly Exception[], { files, followers, scheduled }: ClaimPapers): ClaimsFile[] {
  const currencies = [...new Set(claims.map(({ currency }) => currency ?? NONE))].sort(compareTexts);
  return currencies.map((currency) => {
    const rows = claims.filter((one) => (one.currency ?? NONE) === currency).sort(compareClaims);
    const figures = rows.map((row) => figuresOf(row, scheduled.get(row.id)));
    const sum = (figure: 'charged' | 'schedule' | 'difference') =>
      figures.map((row) => row[figure]).reduce(addAmounts, ZERO);
    const difference = sum('difference');
    const totals = [
      ...[textCell(TOTAL), wholeCell(rows.length), null, moneyCell(sum('charged')), moneyCell(sum('schedule'))],
      ...[moneyCell(difference), textCell(currency), null, null, null, null],
    ];
    const text = csvFile(CLAIM_COLUMNS, [
      ...rows.map((row, at) => cellsOf(row, figures[at] as Figures, { files, followers: followers.get(row.id) ?? [] })),
      totals,
    ]);
    return { currency, text, claims: rows.length, difference: formatAmount(difference) };
  });
}

/** Where the break has no currency: a file all the same, so that nothing is left out. */
const NONE = 'none';

function compareClaims(one: Exception, other: Exception): number {
  return (
    compareTexts(one.date, other.date) ||
    compareTexts(one.reference ?? '', other.reference ?? '') ||
    compareTexts(one.id, other.id)
  );
}

function cellsOf(
  one: Exception,
  { charged, schedule, difference, basis }: Figures,
  { files, followers }: { readonly files: FileNames; readonly followers: readonly Exception[] },
): SheetCell[] {
  const evidence = [evidenceOf(one, files), ...followers.map((other) => againIn(other, files))].join('; ');
  return [
    ...[textCell(one.id), textCell(one.reference), dayCell(one.date)],
    ...[moneyCell(charged), moneyCell(schedule), moneyCell(difference), textCell(one.currency)],
    ...[textCell(evidence), textCell(one.resolutionReference), textCell(basis), textCell(stateOf(one))],
  ];
}

interface Figures {
  readonly charged: Amount;
  /** What is due, by `basis`. */
  readonly schedule: Amount;
  /** What is claimed: what was charged less the value of our record, also where the schedule says something else. */
  readonly difference: Amount;
  /** `schedule`: the fee schedule says what is due; `record`: our record does; `effect`: by the claimed difference alone. */
  readonly basis: 'schedule' | 'record' | 'effect';
}

/**
 * What was charged, and what is due. Money that should have come in is a charge below zero: of a collection that is missing, 0.00
 * was charged instead of -300.00. Where the two values are no amounts that explain it, the effect stands for what the statement shows
 * and should not, such as the debit of a failed payout, or for what it should show and does not.
 */
function figuresOf({ ours, theirs, ...one }: Exception, scheduled: Amount | undefined): Figures {
  const difference = owedOf(one);
  const [due, shown] = [moneyIn(ours), moneyIn(theirs)];
  if (due !== null && shown !== null) {
    for (const [charged, value] of [[shown, due] as const, [negated(shown), negated(due)] as const]) {
      if (compareAmounts(subtractAmounts(charged, value), difference) !== 0) continue;
      return scheduled === undefined
        ? { charged, schedule: value, difference, basis: 'record' }
        : { charged, schedule: scheduled, difference, basis: 'schedule' };
    }
  }
  return isShown(theirs)
    ? { charged: difference, schedule: ZERO, difference, basis: 'effect' }
    : { charged: ZERO, schedule: negated(difference), difference, basis: 'effect' };
}

/** Whether the statement shows the money: a movement that it reversed again comes to nothing. */
function isShown(theirs: string | null): boolean {
  return theirs !== null && theirs !== 'reversed';
}

/** Nothing is no money; null: it is something else, such as a status. */
function moneyIn(value: string | null): Amount | null {
  if (value === null) return ZERO;
  const cell = valueCell(value);
  return cell?.kind === 'amount' ? parseAmount(cell.text) : null;
}

function negated(amount: Amount): Amount {
  return subtractAmounts(ZERO, amount);
}

function moneyCell(amount: Amount): SheetCell {
  return amountCell(formatAmount(amount));
}

/** `paid`: its line was named; `closed`: the reason is gone, as when the service has put it right. */
function stateOf({ status, payment }: Exception): string {
  if (payment !== null) return 'paid';
  return status === 'closed' ? 'closed' : 'claimed';
}

function evidenceOf({ reason, line, kind, reference, attachments }: Exception, files: FileNames): string {
  return [
    reason,
    ...rowOf(line, files),
    ...(reference === null ? [] : [`${kind ?? 'record'} ${reference}`]),
    ...attached(attachments),
  ].join('; ');
}

/** `again in settlement-october.csv, row 13 (x-9ae35867c73e2fe76f85a6e4)` */
function againIn({ id, account, line, attachments }: Exception, files: FileNames): string {
  const place = rowOf(line, files)[0] ?? account;
  return [`again in ${place} (${id})`, ...attached(attachments)].join('; ');
}

function rowOf(line: Exception['line'], files: FileNames): string[] {
  const file = line === null ? undefined : files.get(line.statement);
  return line === null || file === undefined ? [] : [`${file}, row ${line.row}`];
}

function attached(attachments: Exception['attachments']): string[] {
  return attachments.map(({ name, sha256 }) => `${name} (sha256 ${sha256})`);
}
