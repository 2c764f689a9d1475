import { TallyhookError } from '../../domain/error.ts';
import type { ReasonRules } from '../../domain/exceptions/words.ts';
import type { Cursor } from '../../store/cursor.ts';
import {
  type ActResult,
  type Exception,
  type ExceptionArchive,
  type Exceptions,
  MOST_ACTS_AT_ONCE,
} from '../../store/exceptions.ts';
import type { RowPage } from '../../store/reconciliation.ts';
import type { SheetImports } from '../../store/sheet-imports.ts';
import { judgeRows, type RowChange } from './judge/judge.ts';
import type { Refusal } from './judge/refusal.ts';
import { type SheetRow, tableRows } from './judge/row.ts';
import { textIn } from './judge/same.ts';
import { withSheetLease } from './lease.ts';
import { headerOf, type SheetHeader } from './read/header.ts';
import { readSource } from './read/source.ts';
import type { SheetSource } from './read/source-row.ts';
import type { RefusedOf } from './refused-output.ts';

export interface ImportOrder {
  readonly path: string;
  /** Who imports it. */
  readonly by: string;
  readonly isDry: boolean;
  /** With a refused row nothing is applied. */
  readonly allOrNothing: boolean;
  readonly reasons: ReasonRules;
  /** `yyyy-MM-dd`, for the ages. */
  readonly today: string;
  /** Called when another process imports the same file, before waiting for its end; not in a dry run. */
  readonly onWait?: () => void;
  /** Called before anything is applied, when a row changes something or is refused; not in a dry run. */
  readonly prepare?: (sheet: Pick<ImportedSheet, 'source' | 'header'> & RefusedOf) => Promise<void>;
}

/** What became of a spreadsheet. */
export interface ImportedSheet {
  readonly source: SheetSource;
  readonly header: SheetHeader;
  /** At least one row changed its exception. */
  readonly applied: boolean;
  /** It was applied before: nothing is changed or refused. */
  readonly known: boolean;
  readonly rows: number;
  readonly unchanged: number;
  /** What changed; in a dry run, and where nothing was applied, what would. */
  readonly changed: readonly DoneChange[];
  readonly refused: readonly Refusal[];
}

/** A row that was applied, or would be. */
export interface DoneChange extends RowChange {
  /** Its resolution waits for the approval of a second person. */
  readonly waits: boolean;
}

type Archive = Pick<ExceptionArchive, 'exception' | 'exceptions' | 'exceptionSheet'>;

/** A file as it was read. */
type ReadSheet = Pick<ImportedSheet, 'source' | 'header'> & { readonly rows: readonly SheetRow[] };

/**
 * Takes back a spreadsheet of exceptions: each row by itself, or all of them or none. What changed meanwhile is refused, row by row.
 * Of two imports of one file at the same time the second waits for the first, and then finds it known.
 *
 * @throws StatementFileError for a file that is no such sheet
 */
export async function importSheet(
  order: ImportOrder,
  archive: Archive,
  exceptions: Pick<Exceptions, 'act'> & SheetImports,
): Promise<ImportedSheet> {
  const source = await readSource(order.path);
  const header = headerOf(source);
  const sheet: ReadSheet = { source, header, rows: tableRows(source.rows, header) };
  if (order.isDry) {
    const isKnown = (await archive.exceptionSheet(source.digest)) !== null;
    return isKnown ? knownSheet(sheet) : judgedSheet(sheet, order, archive, exceptions);
  }
  const imported = await withSheetLease(source.digest, exceptions, {
    work: (lease) => judgedSheet(sheet, { ...order, lease }, archive, exceptions),
    onWait: () => order.onWait?.(),
  });
  return imported ?? knownSheet(sheet);
}

function knownSheet({ source, header, rows: { length } }: ReadSheet): ImportedSheet {
  const nothing = { applied: false, known: true, changed: [], refused: [] };
  return { source, header, rows: length, unchanged: length, ...nothing };
}

/** Without a lease nothing is written. */
type Leased = ImportOrder & { readonly lease?: number };

async function judgedSheet(
  { source, header, rows }: ReadSheet,
  order: Leased,
  archive: Archive,
  exceptions: Pick<Exceptions, 'act'>,
): Promise<ImportedSheet> {
  const { by, reasons, today } = order;
  const known = await exceptionsOf(rows, archive);
  const judged = judgeRows(rows, { format: source.format, exceptions: known, reasons, by, today });
  const isBlocked = order.allOrNothing && judged.refused.length > 0;
  const isDry = order.isDry || isBlocked;
  if (!order.isDry && judged.changed.length + judged.refused.length > 0) {
    await order.prepare?.({ source, header, rows, path: order.path });
  }
  const { done, refused } = await acted(judged.changed, { ...order, isDry }, source, exceptions);
  return {
    ...{ source, header, rows: rows.length, known: false, unchanged: judged.unchanged, changed: done },
    applied: !isDry && done.length > 0 && (refused.length === 0 || !order.allOrNothing),
    refused: [...judged.refused, ...refused].sort((one, other) => one.row - other.row),
  };
}

/** Rows above which the queue is read as a list, which costs a tenth of reading each by its id. */
const FEW_ROWS = 200;
const ROWS_OF_LIST = 1_000;

async function exceptionsOf(rows: readonly SheetRow[], archive: Archive): Promise<Map<string, Exception>> {
  const found = new Map<string, Exception>();
  const ids = new Set(rows.map(({ cells }) => textIn(cells.id ?? '')));
  for (let after: Cursor | null = null, isMore = ids.size > FEW_ROWS; isMore; isMore = after !== null) {
    const page: RowPage<Exception> = await archive.exceptions({}, { after, limit: ROWS_OF_LIST });
    for (const one of page.rows) if (ids.has(one.id)) found.set(one.id, one);
    after = page.next;
  }
  for (const id of ids) {
    const one = found.has(id) ? null : await archive.exception(id);
    if (one !== null) found.set(id, one);
  }
  return found;
}

/** Acts of one call: they are one transaction of some 40 ms. */
const ACTS_AT_ONCE = 150;

/** Acts on the exceptions, or asks what would come of it. */
async function acted(
  changes: readonly RowChange[],
  { isDry, allOrNothing, reasons, by, path, lease }: Leased,
  { digest, file }: SheetSource,
  exceptions: Pick<Exceptions, 'act'>,
): Promise<{ readonly done: readonly DoneChange[]; readonly refused: readonly Refusal[] }> {
  const isWhole = allOrNothing && !isDry;
  if (isWhole && changes.length > MOST_ACTS_AT_ONCE) throw tooManyAtOnce(path, changes.length);
  const done: DoneChange[] = [];
  const refused: Refusal[] = [];
  let isKnown = false;
  const own = { digest, file, ...(lease !== undefined && { lease }) };
  const most = isWhole ? MOST_ACTS_AT_ONCE : ACTS_AT_ONCE;
  for (let from = 0; from < changes.length; from += most) {
    const some = changes.slice(from, from + most);
    const isLast = from + most >= changes.length;
    const sheet = { ...own, ...(isLast && !isDry && { remember: by }) };
    const acts = some.map(({ act }) => act);
    const order = { acts, reasons, allOrNothing: isWhole, dryRun: isDry, sheet };
    const results = await exceptions.act(order);
    for (const [index, change] of some.entries()) {
      const result = results[index];
      if (result?.outcome === 'refused') refused.push(refusalOf(change, result));
      else done.push({ ...change, waits: result?.exception.approval?.state === 'needed' });
    }
    isKnown ||= isLast && !isDry && results.some(({ outcome }) => outcome === 'done');
  }
  // Where all of the last acts were refused. A sheet whose import was killed is imported again, and the rows that were applied are unchanged then.
  if (!isDry && !isWhole && !isKnown && done.length > 0) {
    await exceptions.act({ acts: [], reasons, sheet: { ...own, remember: by } });
  }
  return { done, refused };
}

function tooManyAtOnce(path: string, rows: number): TallyhookError {
  return new TallyhookError(`${path} changes ${rows} rows; all or nothing takes ${MOST_ACTS_AT_ONCE} at most.`, {
    kind: 'usage',
    hint: 'Divide the file, or import it without --all-or-nothing: refused rows come back as a file.',
  });
}

function refusalOf({ row, id, changes }: RowChange, result: ActResult & { readonly outcome: 'refused' }): Refusal {
  const { reason, message, hint, who, atMs } = result;
  const isStale = reason === 'stale';
  const [column = null] = Object.keys(changes) as (keyof RowChange['changes'])[];
  const value = column === null ? null : (changes[column]?.[1] ?? null);
  return {
    ...{ row, id, reason, message: hint === null ? message : `${message} ${hint}` },
    ...(isStale ? { column: 'version', value: null, who, atMs } : { column, value, who: null, atMs: null }),
  };
}
