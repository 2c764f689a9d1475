import type { Facts } from '../../domain/matching/case.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import { isAt } from '../../domain/statements/lines.ts';
import type { KnownRecord } from '../../store/reconciliation.ts';
import type { Sides } from '../load/sides.ts';
import { copyFacts, originalAmong } from '../witnesses/duplicates.ts';
import type { MatchRun } from './run.ts';

/*
 * Payouts of one session id, amount and destination: the one with a line in a wallet stands, else the first, the same in every leg.
 */

/** The last day of all: a line of any day shows which payout moved money. */
const ANY_DAY = '9999-12-31';

/** Whether a row of ours and another one are the same, which of the two is named, and which record a leg lists as a copy. */
interface Repeats {
  readonly repeats: Facts['repeats'];
  readonly named: OurRow;
  readonly placed: number | null;
}

/**
 * What a row without a line repeats: a payout one of its twins, where another one stands for it, else the twin that has its line in
 * this leg is named. Which one it is never differs between legs. A top-up that the wallet has twice is named by its row there.
 */
export function repeatsOf(run: MatchRun, { number }: Sides, row: OurRow, lines: readonly TheirLine[]): Repeats {
  const none = { repeats: null, named: row, placed: null };
  const topUp = run.topUpCopies.get(row.id);
  if (topUp !== undefined) {
    const line = run.scratch.rows.line(topUp.line);
    const named = line === null ? null : { ...line, type: 'top_up' as const };
    const repeats = { field: 'reference', theirs: null, line: named };
    return { repeats, named: { ...row, reference: topUp.name }, placed: null };
  }
  const twins = row.kind === 'payout' && row.recordId !== null ? run.twins.get(row.recordId) : undefined;
  if (twins === undefined || lines.length > 0) return none;
  const stands = originalAmong(twins, (payout) => hasLine(run, payout, walletLegs(run)));
  const isCopy = stands?.id !== row.recordId;
  const copy = twins.find(({ id, ...one }) =>
    isCopy ? id === row.recordId : id !== row.recordId && hasLine(run, { id, ...one }, [number]),
  );
  if (stands === undefined || copy === undefined) return none;
  const { field, ours, theirs, detail } = copyFacts(copy, stands);
  const named = { ...row, recordId: copy.id, reference: copy.reference };
  return { repeats: { field, ours, theirs, detail }, named, placed: copy.id };
}

/** Returns those of such payouts that have a line in a wallet, by record. */
export function twinsInWallet(run: MatchRun): Set<number> {
  const legs = walletLegs(run);
  const payouts = new Set([...run.twins.values()].flat());
  return new Set([...payouts].filter((payout) => hasLine(run, payout, legs)).map(({ id }) => id));
}

function walletLegs({ sides }: MatchRun): number[] {
  return [...new Set(sides.flatMap(({ number, leg }) => (isAt(leg.theirs.statement, 'service') ? [number] : [])))];
}

function hasLine({ scratch }: MatchRun, { environment, reference }: KnownRecord, legs: readonly number[]): boolean {
  const row = scratch.rows.named('payout', environment, reference);
  return row !== null && scratch.passes.hasLine(row, { legs, until: ANY_DAY });
}
