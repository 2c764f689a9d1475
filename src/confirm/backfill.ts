import type { BackfillOrder, BackfillProgress } from './backfill-order.ts';
import type { BackfillResult, WalkResult } from './backfill-result.ts';
import type { CheckParts } from './parts.ts';
import { Walk } from './walk.ts';

/**
 * Walks the service's list of refunds, the only list in the document (interface 4.4), and makes records of refunds that no
 * webhook reported; the sweep then checks their status. The list is walked to its end, because nothing promises its order.
 * Absence deletes or fails nothing; a refund that is missing from two complete walks in a row is a finding.
 *
 * @throws StoreError when rows cannot be kept
 */
export async function backfill(
  order: BackfillOrder,
  parts: CheckParts,
  onProgress: (progress: BackfillProgress) => void = () => {},
): Promise<BackfillResult> {
  const walks: WalkResult[] = [];
  for (const environment of order.environments) {
    const client = parts.clients.get(environment);
    if (client === undefined) continue;
    walks.push(await new Walk({ order, parts, client, environment, onProgress }).carryOut());
  }
  return { dryRun: order.dryRun, walks };
}
