import { type Amount, addAmounts, compareAmounts, parseAmount, ZERO } from '../../domain/money/amount.ts';
import type { Exception } from '../../store/exceptions.ts';
import type { RunArchive } from '../../store/runs.ts';
import type { KeptFigures } from '../report/figures.ts';

type AuditLine = NonNullable<KeptFigures['audit']>['lines'][number];
type Part = AuditLine['parts'][number];

/** What the fee schedule says of claimed charges, by the id of the exception: of the runs that found them. */
export async function scheduledCharges(
  archive: Pick<RunArchive, 'run'>,
  claims: readonly Exception[],
): Promise<ReadonlyMap<string, Amount>> {
  const lines = new Map<number, ReadonlyMap<string, AuditLine>>();
  const found = new Map<string, Amount>();
  for (const claim of claims) {
    // A later run that only carries the claim has audited other records.
    for (const run of new Set([claim.lastRun, claim.firstRun])) {
      const audited = lines.get(run) ?? (await auditedBy(archive, run));
      lines.set(run, audited);
      const scheduled = scheduledOf(claim, audited.get(nameOf(claim)));
      if (scheduled === null) continue;
      found.set(claim.id, scheduled);
      break;
    }
  }
  return found;
}

async function auditedBy(archive: Pick<RunArchive, 'run'>, run: number): Promise<ReadonlyMap<string, AuditLine>> {
  const kept = await archive.run(run);
  const figures = kept === null ? null : (JSON.parse(kept.report) as KeptFigures);
  return new Map((figures?.audit?.lines ?? []).map((line) => [nameOf(line), line]));
}

function nameOf({
  environment,
  kind,
  reference,
  currency,
}: Pick<Exception, 'environment' | 'kind' | 'reference' | 'currency'>): string {
  return JSON.stringify([environment, kind, reference, currency]);
}

/** What the schedule says of the charge that the statement shows with the claimed value; a fee may hold its tax. */
function scheduledOf({ field, theirs }: Exception, line: AuditLine | undefined): Amount | null {
  if (line === undefined || theirs === null) return null;
  const parts = line.parts.filter(({ part }) => part === field || (field === 'fee' && part !== 'duty'));
  const choices = [...parts.map((part) => [part]), parts];
  const shown = parseAmount(theirs);
  const chosen = choices.find((some) => some.length > 0 && compareAmounts(sumOf(some, 'charged'), shown) === 0);
  return chosen === undefined ? null : sumOf(chosen, 'schedule');
}

function sumOf(parts: readonly Part[], figure: 'charged' | 'schedule'): Amount {
  return parts.map((part) => parseAmount(part[figure])).reduce(addAmounts, ZERO);
}
