import { basename } from 'node:path';
import type { StatementTotals } from '../../domain/statements/statement.ts';
import { type FileMark, type IntakeEntry, isSameMark, isSettled } from '../../domain/statements/statement-intake.ts';
import { StatementFileError } from '../file/problem.ts';
import { statementFile } from '../file/read.ts';
import { type ImportingStatements, type ImportParts, importStatement } from '../import/import.ts';
import { ImportRefusedError } from '../import/refusal.ts';
import type { Profile } from '../profile/load.ts';
import { type FoundFile, markNow } from './find.ts';

/** What became of a file. */
export type Answer = Pick<IntakeEntry, 'outcome' | 'sha256' | 'profileDigest' | 'statement' | 'reason' | 'hint'>;

/** A file that was taken just now. */
export interface ReadAnswer extends Answer {
  readonly read: Pick<StatementTotals, 'unparsed' | 'controls'>;
}

export function isRead(answer: Answer): answer is ReadAnswer {
  return 'read' in answer;
}

export const NEW_ANSWER: Omit<Answer, 'outcome'> = {
  sha256: null,
  profileDigest: null,
  statement: null,
  reason: null,
  hint: null,
};

/** Imports a file that is complete, unless its content had its answer before. Null: stopped by the signal. */
export async function tryFile(
  file: FoundFile,
  profile: Profile,
  known: IntakeEntry | null,
  { statements, ...parts }: ImportParts & { readonly statements: ImportingStatements },
): Promise<Answer | null> {
  const path = file.fullPath;
  const { digest } = profile.source;
  if (known !== null && known.sha256 !== null && isSettled(known, await digestOf(path), digest)) return known;
  try {
    const result = await importStatement({ path, profile }, statements, parts);
    if (result.outcome === 'stopped') return null;
    const { statement } = result;
    if (result.outcome === 'known') return { ...NEW_ANSWER, outcome: 'taken', statement, sha256: await digestOf(path) };
    const { sha256 } = result.file;
    const taken: ReadAnswer = { ...NEW_ANSWER, outcome: 'taken', statement, sha256, read: result.totals };
    return taken;
  } catch (error) {
    if (error instanceof ImportRefusedError) return refusedByNames(error);
    if (error instanceof StatementFileError) return refusedByContent(error, file, digest);
    throw error;
  }
}

/** How the process that read a file ended, before it had an answer. */
export type ReadingEnd =
  | { readonly how: 'silent'; readonly seconds: number }
  | { readonly how: 'memory'; readonly mebibytes: number }
  /** By another program or the system: a signal or an exit code. */
  | { readonly how: 'other'; readonly by: string };

/**
 * What becomes of a file that ended the process that read it: it is refused, and not tried again as it is. Where something else may have
 * ended the process, such as a machine without memory, the file waits, and is tried once more.
 */
export async function endedReading(
  { path, fullPath, ...mark }: FoundFile,
  profileDigest: string,
  known: IntakeEntry | null,
  end: ReadingEnd,
): Promise<Answer> {
  const sha256 = (await isStill(fullPath, mark)) ? await digestOf(fullPath) : null;
  const why =
    end.how === 'silent'
      ? `took more than ${end.seconds} s for one piece`
      : end.how === 'memory'
        ? `needed more than the ${end.mebibytes} MiB of memory that it may take`
        : `ended with ${end.by}`;
  const reason = `${basename(path)}: reading it ${why}.`;
  const isFirst = known?.outcome !== 'waiting' || known.sha256 !== sha256;
  if (sha256 === null || (end.how === 'other' && isFirst)) {
    return { ...NEW_ANSWER, outcome: 'waiting', sha256, reason, hint: 'The next run tries it once more.' };
  }
  const hint = 'Save it again as CSV, or split it, for example by month.';
  return { ...NEW_ANSWER, outcome: 'refused', sha256, profileDigest, reason, hint };
}

/** What else was imported refuses it, and may be removed: every look tries it again. */
function refusedByNames({ outcome, message, hint }: ImportRefusedError): Answer {
  const kept = outcome === 'busy' ? 'waiting' : 'refused';
  return { ...NEW_ANSWER, outcome: kept, reason: message, hint: hint ?? null };
}

async function refusedByContent(
  { message, hint }: StatementFileError,
  { fullPath, ...mark }: FoundFile,
  profileDigest: string,
): Promise<Answer> {
  const refused = { ...NEW_ANSWER, reason: message, hint: hint ?? null };
  if (!(await isStill(fullPath, mark))) return { ...refused, outcome: 'waiting' };
  // A file without a digest cannot be read, which its content does not decide.
  return { ...refused, outcome: 'refused', sha256: await digestOf(fullPath), profileDigest };
}

async function isStill(path: string, mark: FileMark): Promise<boolean> {
  const now = await markNow(path);
  return now !== null && isSameMark(now, mark);
}

/** sha256 of the content; null when it cannot be read. */
async function digestOf(path: string): Promise<string | null> {
  try {
    return (await statementFile(path)).sha256;
  } catch (error) {
    if (error instanceof StatementFileError) return null;
    throw error;
  }
}
