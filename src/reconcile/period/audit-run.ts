import type { FeeRule } from '../../domain/reconciling/rules.ts';
import { type Audit, auditCharges } from '../audit/audit.ts';
import type { MatchRun } from '../judge/run.ts';

/** Audits what the period's records were charged: by the wallet's lines where they say it. Null: there is no schedule. */
export async function auditRun(
  { scratch, sides, window }: MatchRun,
  schedule: readonly FeeRule[],
): Promise<Audit | null> {
  if (schedule.length === 0) return null;
  const wallet = sides.find(({ leg }) => leg.theirs.statement === 'wallet' && 'records' in leg.ours)?.number ?? null;
  async function* pages() {
    yield* scratch.charges(window, wallet);
  }
  return await auditCharges(pages(), schedule);
}
