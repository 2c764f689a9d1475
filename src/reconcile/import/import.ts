import type { StatementTotals, UnparsedRow } from '../../domain/statements/statement.ts';
import type { ByPerson } from '../../store/audit.ts';
import type { Begun, ImportOrder, KeptRows, StatementFile, Statements } from '../../store/statements.ts';
import { readStatement, type StatementReading, statementFile } from '../file/read.ts';
import type { Profile } from '../profile/load.ts';
import { refusedImport } from './refusal.ts';

/** What an import needs of the store. */
export type ImportingStatements = Pick<Statements, 'begin' | 'keep' | 'finish' | 'abandon'>;

export interface ImportParts {
  /** Aborted when the process is to stop: nothing of the file shows then. */
  readonly signal: AbortSignal;
  /** `remark`: what else is being done, such as clearing away a dead import. */
  readonly onProgress?: (bytes: number, of: number, remark?: string) => void;
}

/** A file, imported or looked at. */
export interface ImportedFile extends Pick<ImportOrder, 'account' | 'file'> {
  readonly outcome: 'imported' | 'previewed';
  /** Null: nothing was written. */
  readonly statement: number | null;
  readonly new: number;
  readonly known: number;
  readonly totals: StatementTotals;
  /** The first MOST_UNPARSED_LISTED of them; `totals.unparsed` counts all. */
  readonly unparsed: readonly UnparsedRow[];
  /** Words of the type column that the profile does not know, in the order in which the file has them. */
  readonly unknownTypes: readonly UnknownType[];
}

export interface UnknownType {
  readonly word: string;
  readonly lines: number;
}

export type ImportResult =
  | ImportedFile
  /** A statement has this file already; nothing was written. */
  | { readonly outcome: 'known'; readonly statement: number }
  /** By the signal; nothing of the file shows. */
  | { readonly outcome: 'stopped' };

/** Unreadable rows that are listed; with the wrong profile, every row of a file is one. */
export const MOST_UNPARSED_LISTED = 10_000;
/** With the wrong column, every line has a word of its own. */
const MOST_UNKNOWN_TYPES = 100;

/**
 * Imports one file: whole, or nothing of it, also when the process is killed anywhere. A file that a statement of the account
 * has already changes nothing.
 *
 * @throws StatementFileError for a file that is not as its profile says
 * @throws ImportRefusedError when the names of profile or account stand for something else, or another process imports
 */
export async function importStatement(
  order: { readonly path: string; readonly profile: Profile } & ByPerson,
  statements: ImportingStatements,
  parts: ImportParts,
): Promise<ImportResult> {
  const file = await statementFile(order.path);
  const importOrder = orderOf(order.profile, file);
  const begun = await begin({ ...importOrder, ...byOf(order) }, statements, parts);
  if (begun === null) return { outcome: 'stopped' };
  if (begun.outcome === 'known') return begun;
  if (begun.outcome !== 'begun') throw refusedImport(begun, importOrder);
  const { statement } = begun;
  try {
    const reading = readStatement({ ...order, expected: file });
    const keep = (rows: Rows) => statements.keep({ statement, ...rows });
    const counts = await readAll(reading, file, keep, parts);
    if (counts !== null) {
      const { totals } = reading.end();
      while (!(await statements.finish({ statement, totals, ...byOf(order) })).done);
      return { outcome: 'imported', statement, account: importOrder.account, file, totals, ...counts };
    }
  } catch (error) {
    // What is wrong is told, also when the store cannot be written any more: the next import clears the rest away.
    await abandon(statement, statements).catch(() => {});
    throw error;
  }
  await abandon(statement, statements);
  return { outcome: 'stopped' };
}

/** Says what `importStatement` would do; writes nothing. Throws as it does. */
export async function previewImport(
  order: { readonly path: string; readonly profile: Profile },
  statements: Pick<Statements, 'previewBegin' | 'previewKeep'>,
  parts: ImportParts,
): Promise<ImportResult> {
  const file = await statementFile(order.path);
  const importOrder = orderOf(order.profile, file);
  const answer = await statements.previewBegin(importOrder);
  if (answer.outcome === 'known') return answer;
  if (answer.outcome !== 'new') throw refusedImport(answer, importOrder);
  const { account } = importOrder;
  const reading = readStatement({ ...order, expected: file });
  const counts = await readAll(reading, file, (rows) => statements.previewKeep({ account, ...rows }), parts);
  if (counts === null) return { outcome: 'stopped' };
  return { outcome: 'previewed', statement: null, account, file, totals: reading.end().totals, ...counts };
}

/** What to preview with where there is no database: every line is new. */
export const NOTHING_IMPORTED: Pick<Statements, 'previewBegin' | 'previewKeep'> = {
  previewBegin: async () => ({ outcome: 'new' }),
  previewKeep: async ({ lines }) => ({ new: lines.length, known: 0 }),
};

function byOf({ by }: ByPerson): ByPerson {
  return by === undefined ? {} : { by };
}

function orderOf({ owner, source }: Profile, file: StatementFile): ImportOrder {
  return { account: owner, profile: source, file };
}

/** Begins, as often as it takes to clear away what a dead import left; null: stopped meanwhile. */
async function begin(
  order: ImportOrder & ByPerson,
  statements: ImportingStatements,
  { signal, onProgress }: ImportParts,
): Promise<Exclude<Begun, { outcome: 'clearing' }> | null> {
  while (!signal.aborted) {
    const begun = await statements.begin(order);
    if (begun.outcome !== 'clearing') return begun;
    onProgress?.(0, order.file.bytes, 'clearing away what an earlier import or a removed statement left');
  }
  return null;
}

type Rows = Omit<KeptRows, 'statement'>;

/** Hands every chunk to `keep`; null: stopped by the signal. */
async function readAll(
  reading: StatementReading,
  file: StatementFile,
  keep: (rows: Rows) => Promise<{ readonly new: number; readonly known: number }>,
  { signal, onProgress }: ImportParts,
): Promise<Pick<ImportedFile, 'new' | 'known' | 'unparsed' | 'unknownTypes'> | null> {
  let [fresh, known] = [0, 0];
  const listed: UnparsedRow[] = [];
  const unknown = new Map<string, number>();
  for await (const { lines, unparsed, bytes } of reading.chunks) {
    if (signal.aborted) return null;
    const kept = await keep({ lines, unparsed });
    fresh += kept.new;
    known += kept.known;
    listed.push(...unparsed.slice(0, MOST_UNPARSED_LISTED - listed.length));
    for (const { type, typeText } of lines) {
      if (type !== null || (unknown.size === MOST_UNKNOWN_TYPES && !unknown.has(typeText))) continue;
      unknown.set(typeText, (unknown.get(typeText) ?? 0) + 1);
    }
    onProgress?.(bytes, file.bytes);
  }
  const unknownTypes = [...unknown].map(([word, lines]) => ({ word, lines }));
  return signal.aborted ? null : { new: fresh, known, unparsed: listed, unknownTypes };
}

async function abandon(statement: number, statements: ImportingStatements): Promise<void> {
  while (!(await statements.abandon({ statement })).done);
}
