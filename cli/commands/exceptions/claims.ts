import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { periodOf } from '../../../src/domain/periods/period.ts';
import type { Exception, ExceptionArchive } from '../../../src/store/exceptions.ts';
import type { StatementArchive } from '../../../src/store/statements.ts';
import { UsageError } from '../../options/options.ts';
import { note, print, printJson } from '../../show/output.ts';
import { writeFileOf } from '../../show/sink.ts';
import { everyException } from './every.ts';
import { withQueue } from './queue.ts';

interface ClaimsArguments {
  /** A period. */
  readonly claims: string;
  /** A folder, made when it is not there. */
  readonly out: string;
  readonly config?: string | undefined;
  readonly json: boolean | undefined;
}

/** Writes the claims dated in a period, a file per currency; with those that were paid since, so that a file can be made again. @throws UsageError */
export async function exportClaims({ claims, out, ...argv }: ClaimsArguments): Promise<void> {
  const period = periodOf(claims);
  if (period === null) {
    const hint = 'Give 2026-10, or 2026-10-01..2026-10-15.';
    throw new UsageError(`--claims is ${JSON.stringify(claims)}: no period.`, hint);
  }
  const { name, from, to } = period;
  const { claimsFiles } = await import('../../../src/reconcile/sheet/claims.ts');
  await withQueue(argv, async (archive) => {
    const filter = { resolutions: ['claim'], statuses: ['resolved', 'closed'], from, to } as const;
    const found = await everyException(archive, filter);
    const owed = found.filter(({ sameAs }) => sameAs === null);
    const followers = await followersOf(owed, archive);
    const { scheduledCharges } = await import('../../../src/reconcile/sheet/scheduled.ts');
    const papers = {
      files: await filesOf([...owed, ...[...followers.values()].flat()], archive),
      followers,
      scheduled: await scheduledCharges(archive, owed),
    };
    const files = claimsFiles(owed, papers);
    if (files.length > 0) await mkdir(out, { recursive: true });
    const written = [];
    for (const { currency, text, claims, difference } of files) {
      const file = join(out, `claims-${name}-${currency}.csv`);
      await writeFileOf(file, Buffer.from(text));
      written.push({ file, currency, claims, difference });
    }
    for (const { id, sameAs } of found) {
      const of = sameAs === null ? null : await archive.exception(sameAs);
      if (of !== null && !isClaim(of))
        note(`${id} is in no file: it is the same difference as ${of.id}, which is not claimed.`);
    }
    if (argv.json) return printJson({ period: name, files: written });
    for (const { currency, claims, difference } of written) print(`${claims} claimed in ${currency}: ${difference}`);
    if (written.length === 0) note(`Nothing of ${name} is claimed.`);
  });
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
