import type { Environment } from '../../domain/environment.ts';
import { type Amount, addAmounts, isAmount, ZERO } from '../../domain/money/amount.ts';
import { compareTexts } from '../../domain/records/observation.ts';
import { isReservedAt } from '../../domain/records/refund-funding.ts';
import { AGE_BUCKETS, type AgeBucket, ageBucket } from '../../domain/records/settling-age.ts';
import { countedAmount } from '../../domain/records/witness-money.ts';
import {
  type KnownRecord,
  type ReconciliationArchive,
  type ReservingRefund,
  walkAll,
} from '../../store/reconciliation.ts';
import type { Span } from '../load/order.ts';

/** Money that the service holds for refunds of one status, currency and age. */
export interface Reserve {
  readonly environment: Environment;
  readonly status: string | null;
  readonly currency: string | null;
  readonly age: AgeBucket;
  readonly refunds: number;
  /** Of these, refunds that do not state what is reserved. */
  readonly withoutReserve: number;
  /** Of these, refunds of which a funding identity does not hold. */
  readonly broken: number;
  readonly reserved: Amount;
}

type Held = Pick<ReservingRefund, 'environment' | 'status' | 'currency' | 'totalReserved' | 'isBroken' | 'startedAtMs'>;

/**
 * Adds up what is reserved at the end of the period. A refund that was settled later was still reserved then: it counts as
 * it stood, by the observations of that time.
 */
export async function reservesAt(archive: ReconciliationArchive, span: Span): Promise<Reserve[]> {
  const { judgedAtMs, period } = span;
  if (!span.order.kinds.includes('refund')) return [];
  const reserves = new Map<string, Reserve>();
  for await (const rows of walkAll((after) =>
    archive.reservingRefunds({ ...period, beforeMs: judgedAtMs + 1 }, after),
  )) {
    for (const row of rows) if (!row.needsMore && isReservedAt(row, judgedAtMs)) addTo(reserves, row, judgedAtMs);
    const ids = rows.filter(({ needsMore }) => needsMore).map(({ id }) => id);
    for (const held of await heldAt(archive, span, ids)) addTo(reserves, held, judgedAtMs);
  }
  return [...reserves.values()].sort(compareReserves);
}

async function heldAt(archive: ReconciliationArchive, { period, judgedAtMs }: Span, ids: readonly number[]) {
  const { asAtMs } = period;
  const known = await archive.knownRecords({ kind: 'refund', ids, asAtMs });
  const reserved = known.filter((one) => one.seen && isReservedAt(fundedBy(one), judgedAtMs));
  const reservedIds = reserved.map(({ id }) => id);
  const stood = await archive.knownRecords({ kind: 'refund', ids: reservedIds, asAtMs, stoodAtMs: judgedAtMs });
  const atEnd = new Map(stood.map((one) => [one.id, one]));
  // A refund of which no observation is as old as that stands as the earliest observation says.
  return reserved.map((one) => heldBy(one, atEnd.get(one.id) ?? one));
}

function fundedBy({ reported, confirmed, details, startedAtMs, effectiveAtMs }: KnownRecord) {
  return { status: confirmed ?? reported, fundingStatus: details.fundingStatus ?? null, startedAtMs, effectiveAtMs };
}

function heldBy(known: KnownRecord, stood: KnownRecord): Held {
  const status = stood.confirmed ?? stood.reported;
  const shown = status === null ? known : stood;
  const { totalReserved } = shown.details;
  return {
    environment: known.environment,
    status: shown.confirmed ?? shown.reported,
    currency: countedAmount(known).currency,
    totalReserved: isAmount(totalReserved) ? totalReserved : null,
    isBroken: shown.findings.some(({ code }) => code === 'reserve_mismatch'),
    startedAtMs: known.startedAtMs,
  };
}

function addTo(reserves: Map<string, Reserve>, held: Held, judgedAtMs: number): void {
  const { environment, status, currency, totalReserved, isBroken, startedAtMs } = held;
  const age = ageBucket(judgedAtMs - startedAtMs);
  const name = JSON.stringify([environment, currency, status, age]);
  const before = reserves.get(name);
  reserves.set(name, {
    environment,
    status,
    currency,
    age,
    refunds: (before?.refunds ?? 0) + 1,
    withoutReserve: (before?.withoutReserve ?? 0) + Number(totalReserved === null),
    broken: (before?.broken ?? 0) + Number(isBroken),
    reserved: addAmounts(before?.reserved ?? ZERO, totalReserved ?? ZERO),
  });
}

function compareReserves(one: Reserve, other: Reserve): number {
  return (
    compareTexts(one.environment, other.environment) ||
    compareTexts(one.currency ?? '', other.currency ?? '') ||
    compareTexts(one.status ?? '', other.status ?? '') ||
    AGE_BUCKETS.indexOf(one.age) - AGE_BUCKETS.indexOf(other.age)
  );
}
