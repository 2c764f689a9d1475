import { refuseControl } from '../wire/refusal.ts';
import { formatMoney } from '../world/money.ts';
import { CURRENCIES, type Currency } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { accountStatement } from './account-lines.ts';
import { dayText } from './cells.ts';
import { checkDays, localTimes } from './days.ts';
import { type Dialect, otherForms } from './dialect.ts';
import { type DialectName, dialectNamed } from './dialects.ts';
import { type FileChaos, type PlantedLine, plantFaults } from './file-chaos.ts';
import { type Profile, profileOf } from './profile.ts';
import { settlementStatement } from './settlement-lines.ts';
import { accountName, closingOf, type Span, type Statement } from './statement.ts';
import { type Table, tableOf } from './table.ts';
import { textFile } from './text-file.ts';
import { workbook } from './workbook.ts';

/** A planted fault with the rows of its lines in the file. */
export interface PlantedFileFault extends Omit<PlantedLine, 'lines'> {
  readonly rows: readonly number[];
}

/** A statement as a file. Amounts are decimal texts; a settlement statement has no balances. */
export interface StatementFile {
  readonly kind: Span['kind'];
  readonly account: string;
  readonly environment: Span['environment'];
  readonly currency: Currency;
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly dialect: DialectName;
  readonly lines: number;
  readonly opening: string | null;
  readonly closing: string | null;
  readonly planted: readonly PlantedFileFault[];
  /** The import profile that fits the file. */
  readonly profile: Profile;
  /** The bytes of the file in base64. */
  readonly content: string;
}

export interface WantedFile {
  /** Without a currency: the only one that moved on these days. */
  readonly span: Omit<Span, 'currency'> & { readonly currency: Currency | undefined };
  readonly dialect: DialectName;
  readonly chaos: FileChaos;
  readonly seed: number;
}

/**
 * The statement of some days as a file, the same bytes for the same books. Throws 409 when entries of these days are no
 * longer in the books, 422 for a wrong day, zone or currency, and for more faults than lines can have.
 */
export async function statementFile(world: World, { span, ...wanted }: WantedFile): Promise<StatementFile> {
  checkDays(span);
  checkKept(world, span);
  const dialect = dialectNamed(wanted.dialect);
  const { statement, planted } = plantFaults(statementIn(world, span), wanted.chaos, wanted.seed);
  const foreign = new Set(planted.flatMap(({ kind, lines }) => (kind === 'dialect' ? lines : [])));
  const table = tableOf(statement, dialect, foreign);
  const bytes =
    dialect.file.format === 'xlsx' ? await workbook(table, dialect.file.sheet) : textFile(table, dialect.file);
  const hasBalance = span.kind !== 'settlement';
  const { kind, environment, currency, from, to, zone } = statement;
  return {
    ...{ kind, account: accountName(statement), environment, currency, from, to, zone, dialect: wanted.dialect },
    lines: statement.lines.length,
    opening: hasBalance ? formatMoney(statement.opening) : null,
    closing: hasBalance ? formatMoney(closingOf(statement)) : null,
    planted: planted.map((fault) => withRows(fault, table, dialect)),
    profile: profileOf(statement, dialect),
    content: bytes.toString('base64'),
  };
}

function checkKept(world: World, { from, to, zone }: Omit<Span, 'currency'>): void {
  const { droppedUntil } = world.state.books;
  const lastDropped = droppedUntil === '' ? '' : localTimes(zone)(droppedUntil).date;
  if (lastDropped < from) return;
  throw refuseControl(
    409,
    `Entries of the days from ${from} to ${to} are no longer in the books: they were dropped up to ${lastDropped}`,
    'Ask for later days, or start with a larger entryLogLimit.',
  );
}

function statementIn(world: World, span: WantedFile['span']): Statement {
  const read = (currency: Currency) =>
    (span.kind === 'settlement' ? settlementStatement : accountStatement)(world, { ...span, currency });
  if (span.currency !== undefined) return read(span.currency);
  const moved = CURRENCIES.map(read).filter(({ lines }) => lines.length > 0);
  const [only] = moved;
  if (only && moved.length === 1) return only;
  throw refuseControl(
    422,
    'A statement needs its currency',
    `Lines of these days are in: ${moved.map(({ currency }) => currency).join(', ') || 'none'}.`,
  );
}

function withRows({ lines, ...fault }: PlantedLine, { rowOf }: Table, dialect: Dialect): PlantedFileFault {
  const rows = lines.map((line) => rowOf.get(line) ?? 0);
  const file = fault.kind === 'dialect' ? lines.map(({ date }) => dayText(date, otherForms(dialect).date)) : fault.file;
  return { ...fault, file, rows };
}
