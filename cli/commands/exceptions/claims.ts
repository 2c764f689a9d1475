import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { periodOf } from '../../../src/domain/periods/period.ts';
import { UsageError } from '../../options/options.ts';
import { note, print, printJson } from '../../show/output.ts';
import { writeFileOf } from '../../show/sink.ts';
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
  const { periodClaims } = await import('../../../src/reconcile/sheet/period-claims.ts');
  await withQueue(argv, async (archive) => {
    const { files, repeated } = await periodClaims(archive, period);
    if (files.length > 0) await mkdir(out, { recursive: true });
    const written = [];
    for (const { name, currency, text, claims, difference } of files) {
      const file = join(out, name);
      await writeFileOf(file, Buffer.from(text));
      written.push({ file, currency, claims, difference });
    }
    for (const { id, sameAs } of repeated)
      note(`${id} is in no file: it is the same difference as ${sameAs}, which is not claimed.`);
    if (argv.json) return printJson({ period: period.name, files: written });
    for (const { currency, claims, difference } of written) print(`${claims} claimed in ${currency}: ${difference}`);
    if (written.length === 0) note(`Nothing of ${period.name} is claimed.`);
  });
}
