import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import type { Judgement } from '../../domain/matching/terms.ts';
import type { KnownRecord } from '../../store/reconciliation.ts';
import type { Sides } from '../load/sides.ts';
import { copyFacts, originalAmong } from '../witnesses/duplicates.ts';
import type { MatchRun } from './run.ts';

/*
 * Payouts of one session id, amount and destination: the one with a line in a wallet stands, else the first, the same in every leg.
 */

/** The last day of all: a line of any day shows which payout moved money. */
const ANY_DAY = '9999-12-31';

/** What is said of a row of ours, and the row that it is said of. */
export interface Said {
  readonly judged: Judgement;
  readonly named: OurRow;
}

/**
 * Says of a payout without a line that one of its twins is there twice: the payout itself, where another one stands for it, else the
 * twin that has its line in this leg. Which one it is never differs between legs.
 */
export function asCopy(
  run: MatchRun,
  { number }: Sides,
  row: OurRow,
  lines: readonly TheirLine[],
  judged: Judgement,
): Said {
  const plain = { judged, named: row };
  const twins = row.kind === 'payout' && row.recordId !== null ? run.twins.get(row.recordId) : undefined;
  if (twins === undefined || lines.length > 0 || judged.verdicts.length === 0) return plain;
  const stands = originalAmong(twins, (payout) => hasLine(run, payout, walletLegs(run)));
  const isCopy = stands?.id !== row.recordId;
  const copy = twins.find(({ id, ...one }) =>
    isCopy ? id === row.recordId : id !== row.recordId && hasLine(run, { id, ...one }, [number]),
  );
  if (stands === undefined || copy === undefined) return plain;
  run.found.copiesPlaced.add(copy.id);
  const facts = { ...copyFacts(copy, stands), code: 'duplicate_internal' as const, dueDay: null };
  return {
    judged: { ...judged, verdicts: judged.verdicts.map((verdict) => ({ ...verdict, ...facts })) },
    named: { ...row, recordId: copy.id, reference: copy.reference },
  };
}

/** Returns those of such payouts that have a line in a wallet, by record. */
export function twinsInWallet(run: MatchRun): Set<number> {
  const legs = walletLegs(run);
  const payouts = new Set([...run.twins.values()].flat());
  return new Set([...payouts].filter((payout) => hasLine(run, payout, legs)).map(({ id }) => id));
}

function walletLegs({ sides }: MatchRun): number[] {
  return [...new Set(sides.flatMap(({ number, leg }) => (leg.theirs.statement === 'wallet' ? [number] : [])))];
}

function hasLine({ scratch }: MatchRun, { environment, reference }: KnownRecord, legs: readonly number[]): boolean {
  const row = scratch.rows.named('payout', environment, reference);
  return row !== null && scratch.passes.hasLine(row, { legs, until: ANY_DAY });
}
