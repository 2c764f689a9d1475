import type { Environment } from '../../domain/environment.ts';
import { type Amount, amountOfMinor, toMinorOrNull } from '../../domain/money/amount.ts';
import type { RecordKind } from '../../domain/records/lifecycle.ts';
import { compareConfirmed, compareTexts, type StatedStatus } from '../../domain/records/observation.ts';
import { countedAmount } from '../../domain/records/witness-money.ts';
import type { KnownRecord, RecordGroup } from '../../store/reconciliation.ts';

/** Records of one kind, environment, currency and status, counted and added up. */
export interface Total {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly currency: string | null;
  /** By the service where it answered, else by the webhooks. */
  readonly status: string | null;
  readonly records: number;
  /** Of these, records without an amount that counts. */
  readonly withoutAmount: number;
  readonly total: Amount;
}

/** How the two witnesses of the records of one kind and environment agree. */
export interface WitnessCount {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly records: number;
  /** Both have the same status. */
  readonly agreed: number;
  /** The service is ahead of the webhooks: one was lost, or is on its way. */
  readonly serviceAhead: number;
  /** The service is behind the webhooks, or contradicts them. */
  readonly differ: number;
  readonly webhooksOnly: number;
  readonly serviceOnly: number;
  /** Neither has a status. */
  readonly neither: number;
}

/** A record as a group of its own, for those that the store's sums leave out. */
export function groupOf(record: KnownRecord): RecordGroup {
  const { kind, environment, reported, confirmed, details } = record;
  const { amount, currency } = countedAmount(record);
  const minor = amount === null ? null : toMinorOrNull(amount);
  const channel = typeof details.channel === 'string' ? details.channel : null;
  const sums = { records: 1, withoutAmount: Number(minor === null), minor: minor ?? 0n };
  return { kind, environment, reported, confirmed, currency, channel, startMs: null, ...sums };
}

/** Adds groups up by kind, environment, currency and status, in this order. */
export function totalsOf(groups: readonly RecordGroup[]): Total[] {
  const sums = new Map<string, RecordGroup>();
  for (const group of groups) {
    const status = group.confirmed ?? group.reported;
    const name = JSON.stringify([group.environment, group.kind, group.currency, status]);
    const before = sums.get(name);
    sums.set(name, before === undefined ? group : added(before, group));
  }
  return [...sums.values()]
    .filter(({ records }) => records > 0)
    .map(({ kind, environment, currency, confirmed, reported, records, withoutAmount, minor }) => ({
      kind,
      environment,
      currency,
      status: confirmed ?? reported,
      records,
      withoutAmount,
      total: amountOfMinor(minor),
    }))
    .sort(
      (one, other) =>
        compareTexts(one.environment, other.environment) ||
        compareTexts(one.kind, other.kind) ||
        compareTexts(one.currency ?? '', other.currency ?? '') ||
        compareTexts(one.status ?? '', other.status ?? ''),
    );
}

/** The sums of two groups, under the name of the first. */
export function added(one: RecordGroup, other: RecordGroup): RecordGroup {
  return {
    ...one,
    records: one.records + other.records,
    withoutAmount: one.withoutAmount + other.withoutAmount,
    minor: one.minor + other.minor,
  };
}

type Agreement = Exclude<keyof WitnessCount, 'kind' | 'environment' | 'records'>;

export function witnessCounts(groups: readonly RecordGroup[]): WitnessCount[] {
  const counts = new Map<string, WitnessCount>();
  for (const group of groups) {
    const { kind, environment, records } = group;
    const name = `${environment} ${kind}`;
    const before = counts.get(name) ?? { kind, environment, ...NONE };
    const agreement = agreementOf(group);
    counts.set(name, {
      ...before,
      records: before.records + records,
      [agreement]: before[agreement] + records,
    });
  }
  for (const [name, { records }] of counts) if (records === 0) counts.delete(name);
  return [...counts.entries()].sort(([one], [other]) => compareTexts(one, other)).map(([, count]) => count);
}

const NONE = { records: 0, agreed: 0, serviceAhead: 0, differ: 0, webhooksOnly: 0, serviceOnly: 0, neither: 0 };

function agreementOf({ kind, reported, confirmed }: RecordGroup): Agreement {
  if (reported === null) return confirmed === null ? 'neither' : 'serviceOnly';
  if (confirmed === null) return 'webhooksOnly';
  const stated = (status: string): StatedStatus => ({ status, time: null, details: null });
  const place = compareConfirmed(kind, stated(confirmed), stated(reported));
  if (place === 0) return 'agreed';
  return place === 1 ? 'serviceAhead' : 'differ';
}

/** Whether a record with this status arrived: its amount is money that moved. */
export function isSuccess({ confirmed, reported }: RecordGroup): boolean {
  const status = confirmed ?? reported;
  return status === 'success' || status === 'completed';
}
