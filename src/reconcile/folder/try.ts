import type { StatementTotals } from '../../domain/statement.ts';
import { type FileMark, type IntakeEntry, isSameMark, isSettled } from '../../domain/statement-intake.ts';
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
  { statements, ...parts }: Pick<ImportParts, 'signal' | 'sleep'> & { readonly statements: ImportingStatements },
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
