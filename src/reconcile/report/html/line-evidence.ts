import type { Environment } from '../../../domain/environment.ts';
import { compareTexts } from '../../../domain/records/observation.ts';
import { LINE_TYPES } from '../../../domain/statements/lines.ts';
import type { Archive } from '../../../store/archive.ts';
import type { PlacedLine } from '../../../store/statements.ts';
import type { ReportedException } from '../model.ts';
import { countOf } from '../words.ts';
import { MOST_TOLD, type Told, toldByLine } from './told.ts';

export type LineArchive = Pick<Archive, 'lineAt' | 'linesNamingAny' | 'statement'>;

/** Most lines read for a page: twenty for each of its exceptions. */
const MOST_LINES = 100_000;

/** The name of a statement's file; null: the statement was removed. */
export type Files = (statement: number) => Promise<string | null>;

/** Reads the name of each file once. */
export function statementFiles(archive: LineArchive): Files {
  const files = new Map<number, Promise<string | null>>();
  return (statement) => {
    const known = files.get(statement) ?? archive.statement(statement).then((one) => one?.file.name ?? null);
    files.set(statement, known);
    return known;
  };
}

interface Subject {
  readonly environment: Environment;
  readonly names: readonly string[];
  readonly exceptions: readonly ReportedException[];
  readonly files: Files;
}

/** Reads, in one walk, the lines that name one of these, as they were known at a time. */
export async function linesNaming(archive: LineArchive, names: readonly string[], asAtMs: number) {
  const lines = names.length === 0 ? [] : await archive.linesNamingAny(names, MOST_LINES);
  const naming = byName(lines.filter(({ importedAtMs }) => importedAtMs <= asAtMs));
  const isCut = lines.length === MOST_LINES;

  return {
    /** What statements say of a reference: the rows of its exceptions, and others that name it. */
    async told({ environment, names: own, exceptions, files }: Subject): Promise<Told[]> {
      const others = own
        .flatMap((name) => naming.get(name) ?? [])
        .filter(({ account }) => account.environment === environment)
        .sort(compareLines);
      const found = new Map<number, PlacedLine>();
      for (const { line } of exceptions) {
        if (line === null) continue;
        const read = others.find((one) => one.statement === line.statement && one.line.row === line.row);
        const placed = read ?? (await archive.lineAt(line));
        if (placed !== null) found.set(placed.lineId, placed);
      }
      for (const one of others) found.set(one.lineId, one);
      const shown = [...found.values()].slice(0, MOST_TOLD).sort(compareLines);
      const told: Told[] = [];
      for (const one of shown) told.push(toldByLine(one, (await files(one.statement)) ?? 'a removed file'));
      const more = found.size - shown.length;
      if (more > 0) told.push(rest(`${countOf(more, 'more row')} in statements`));
      else if (isCut)
        told.push(rest('not every row that names it was read: the references of this page have too many'));
      return told;
    },
  };
}

function rest(text: string): Told {
  return { by: 'Statement', at: null, text, where: '' };
}

function byName(lines: readonly PlacedLine[]): Map<string, PlacedLine[]> {
  const named = new Map<string, PlacedLine[]>();
  for (const placed of lines) {
    const { reference, sessionId, transactionReference } = placed.line;
    for (const name of new Set([reference, sessionId, transactionReference])) {
      if (name === null) continue;
      const before = named.get(name);
      if (before === undefined) named.set(name, [placed]);
      else before.push(placed);
    }
  }
  return named;
}

/** By nothing that depends on which file was imported first. */
function compareLines(one: PlacedLine, other: PlacedLine): number {
  return (
    compareTexts(one.line.date, other.line.date) ||
    compareTexts(one.account.name, other.account.name) ||
    typeOrder(one) - typeOrder(other) ||
    compareTexts(one.line.fingerprint, other.line.fingerprint) ||
    one.line.occurrence - other.line.occurrence
  );
}

/** A payment before its fee, and that before its tax; what the profile does not know is last. */
function typeOrder({ line: { type } }: PlacedLine): number {
  return type === null ? LINE_TYPES.length : LINE_TYPES.indexOf(type);
}
