import type { Environment } from '../../domain/environment.ts';
import { type Amount, amountOfMinor, magnitude } from '../../domain/money/amount.ts';
import type { Item } from '../../domain/reconciling/break.ts';
import { compareTexts } from '../../domain/records/observation.ts';

/** The money of records with a break. */
export interface AtRisk {
  readonly environment: Environment;
  readonly currency: string | null;
  readonly records: number;
  readonly amount: Amount;
}

/** Adds up the amounts of the records that have breaks: a record with two of them counts once. A line that has none counts by itself. */
export function valueAtRisk(breaks: readonly Item[]): AtRisk[] {
  const seen = new Set<string>();
  const sums = new Map<string, { environment: Environment; currency: string | null; records: number; minor: bigint }>();
  for (const { kind, environment, reference, recordId, currency, minor, place } of breaks) {
    const name = recordId === null ? (place?.names ?? reference) : reference;
    const record = JSON.stringify([environment, kind, name]);
    if (seen.has(record)) continue;
    seen.add(record);
    const key = JSON.stringify([environment, currency]);
    const before = sums.get(key) ?? { environment, currency, records: 0, minor: 0n };
    sums.set(key, { ...before, records: before.records + 1, minor: before.minor + magnitude(minor ?? 0n) });
  }
  return [...sums.entries()]
    .sort(([one], [other]) => compareTexts(one, other))
    .map(([, { minor, ...rest }]) => ({ ...rest, amount: amountOfMinor(minor) }));
}
