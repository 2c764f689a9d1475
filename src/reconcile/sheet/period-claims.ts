import type { DayRange } from '../../domain/periods/period.ts';
import type { Archive } from '../../store/archive.ts';
import type { Exception, ExceptionArchive } from '../../store/exceptions.ts';
import type { StatementArchive } from '../../store/statements.ts';
import { everyException } from '../exceptions/queue.ts';
import { type ClaimsFile, claimsFiles } from './claims.ts';
import { scheduledCharges } from './scheduled.ts';

export interface PeriodClaims {
  /** One for each currency; `name` is that of the file. */
  readonly files: readonly (ClaimsFile & { readonly name: string })[];
  /** Claims that stand in no file: each says again the amount of another exception, which is not claimed. */
  readonly repeated: readonly { readonly id: string; readonly sameAs: string }[];
}

/** The claims dated in a period, also those that were paid since, so that a file can be made again. */
export async function periodClaims(
  archive: Archive,
  { name: period, from, to }: DayRange & { readonly name: string },
): Promise<PeriodClaims> {
  const filter = { resolutions: ['claim'], statuses: ['resolved', 'closed'], from, to } as const;
  const found = await everyException(archive, filter);
  const owed = found.filter(({ sameAs }) => sameAs === null);
  const followers = await followersOf(owed, archive);
  const papers = {
    files: await filesOf([...owed, ...[...followers.values()].flat()], archive),
    followers,
    scheduled: await scheduledCharges(archive, owed),
  };
  const repeated: { id: string; sameAs: string }[] = [];
  for (const { id, sameAs } of found) {
    const of = sameAs === null ? null : await archive.exception(sameAs);
    if (of !== null && !isClaim(of)) repeated.push({ id, sameAs: of.id });
  }
  const files = claimsFiles(owed, papers);
  return { files: files.map((one) => ({ ...one, name: `claims-${period}-${one.currency}.csv` })), repeated };
}

/** Claims of every period that say the amount of one of these again, by its id. */
async function followersOf(
  claims: readonly Exception[],
  archive: Pick<ExceptionArchive, 'exceptionsNaming'>,
): Promise<Map<string, Exception[]>> {
  const found = new Map<string, Exception[]>();
  for (const { id, reference } of claims) {
    const named = reference === null ? [] : await archive.exceptionsNaming(reference);
    const followers = named.filter((one) => one.sameAs === id && isClaim(one));
    if (followers.length > 0) found.set(id, followers);
  }
  return found;
}

function isClaim({ status, resolution }: Exception): boolean {
  return resolution === 'claim' && (status === 'resolved' || status === 'closed');
}

/** Names of the files in which the claims stand; a statement that was removed keeps its own. */
async function filesOf(
  claims: readonly Exception[],
  archive: Pick<StatementArchive, 'statement'>,
): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  for (const { line } of claims) {
    if (line === null || names.has(line.statement)) continue;
    const statement = await archive.statement(line.statement);
    if (statement !== null) names.set(line.statement, statement.file.name);
  }
  return names;
}
