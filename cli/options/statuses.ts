import { didYouMean } from '../../src/config/did-you-mean.ts';
import { LIFECYCLES, type RecordKind } from '../../src/domain/records/lifecycle.ts';
import type { Page } from '../../src/store/records.ts';
import { UsageError } from './options.ts';

/** The page with which a row is looked for. */
export const ANY_ROW: Page = { limit: 1, order: 'newest' };

/**
 * Refuses a status that no record or event has and that is not of these kinds. The service may send statuses that are not
 * listed here, so an unlisted one is looked for: `firstOf` reads one row that has it.
 *
 * @throws UsageError with the nearest known status
 */
export async function requireStatuses(
  given: readonly string[] | undefined,
  kinds: readonly RecordKind[],
  firstOf: (status: string) => Promise<readonly unknown[]>,
): Promise<void> {
  const known = [...new Set(kinds.flatMap((kind) => LIFECYCLES[kind].ranks.flat()))];
  for (const status of given ?? []) {
    if (known.some((one) => one === status) || (await firstOf(status)).length > 0) continue;
    const meant = didYouMean(status, known);
    throw new UsageError(
      `--status is ${JSON.stringify(status)}: no ${kinds.length === 1 ? kinds[0] : 'event'} has this status.`,
      `${meant === undefined ? '' : `Did you mean ${meant}? `}Known: ${known.join(', ')}.`,
    );
  }
}
