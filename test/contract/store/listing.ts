import type { ListedRefund } from '../../../src/domain/checks/listed-refund.ts';
import { canonicalDigest } from '../../../src/domain/events/json.ts';
import { readStated } from '../../../src/domain/events/stated.ts';
import type { Backfill, BackfillPlan, FinishedBackfill, Judged, ListedRows } from '../../../src/store/backfills.ts';
import { START_MS } from '../../support/fixed-clock.ts';
import { wire } from '../../support/service-answer.ts';
import type { Handle } from './handle.ts';

/* What a guarantee does with backfills: through the port, as a walk along the service's list does. */

/** One row of the service's list of refunds. */
export function listed(reference: string, status = 'success', latestMs: number | null = START_MS): ListedRefund {
  const row = wire({ refund_reference: reference, status, amount: '50.00', currency: 'USD' });
  return { reference, stated: readStated('refund', row, 'UTC'), digest: canonicalDigest(row), latestMs };
}

/** A walk under way. */
export class ListWalk {
  readonly #handle: Handle;
  readonly id: number;
  readonly sinceMs: number;
  readonly firstPage: string;

  private constructor(handle: Handle, { id, sinceMs, firstPage }: Backfill) {
    this.#handle = handle;
    this.id = id;
    this.sinceMs = sinceMs;
    this.firstPage = firstPage;
  }

  static async begin(handle: Handle, over: Partial<BackfillPlan> = {}): Promise<ListWalk> {
    const { backfills } = await handle.operations();
    return new ListWalk(handle, await backfills.begin({ environment: 'test', sinceMs: null, overlapMs: 0, ...over }));
  }

  async record(rows: readonly ListedRefund[], over: Partial<ListedRows> = {}) {
    const { backfills } = await this.#handle.operations();
    return backfills.record({ backfillId: this.id, rows, createSinceMs: 0, lastPage: null, ...over });
  }

  /** Judges every stretch and returns the sums. */
  async judge(): Promise<Pick<Judged, 'missed' | 'absent'>> {
    const { backfills } = await this.#handle.operations();
    let [missed, absent]: [number, number] = [0, 0];
    for (let after: Judged['next'] = null; ; ) {
      const judged: Judged = await backfills.judge({ backfillId: this.id, after });
      missed += judged.missed;
      absent += judged.absent;
      if (judged.next === null) return { missed, absent };
      after = judged.next;
    }
  }

  async finish(outcome: FinishedBackfill['outcome'], lastPage: string | null = null): Promise<void> {
    const { backfills } = await this.#handle.operations();
    const counts = { rows: 0, unreadable: 0, created: 0 };
    await backfills.finish({ backfillId: this.id, outcome, detail: null, ...counts, lastPage });
  }
}

/** A complete walk that reads `rows`. */
export async function completeWalk(handle: Handle, rows: readonly ListedRefund[], over: Partial<BackfillPlan> = {}) {
  const walk = await ListWalk.begin(handle, over);
  await walk.record(rows);
  const judged = await walk.judge();
  await walk.finish('complete');
  return judged;
}
