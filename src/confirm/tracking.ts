import { ENVIRONMENTS, type Environment } from '../domain/environment.ts';
import {
  type Expected,
  expectedAmount,
  expectedCurrency,
  expectedReference,
  expectedTime,
  requireCurrency,
} from '../domain/expectations/expectation-input.ts';
import { namesOf, requireArgument, requireKnown, requireObject, requireText } from '../domain/misuse.ts';
import { type Amount, wholeAmount } from '../domain/money/amount.ts';
import { RECORD_KINDS, type RecordKind } from '../domain/records/lifecycle.ts';
import { openStore } from '../store/open.ts';
import { type ForgetOrder, type Forgotten, MOST_TRACKED, type Tracked, type Tracking } from '../store/tracking.ts';
import type { Clock } from '../time/clock.ts';

/** A record to expect, as a program writes it. */
export interface Expecting {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly reference: string;
  /** Exact decimal text, `1500.50`, or an Amount; with a currency. */
  readonly amount?: string | Amount | null;
  readonly currency?: string | null;
  /** A webhook or an answer should have come by then. */
  readonly due?: Date | null;
}

export interface OpenTracking {
  /**
   * Expects these from now on: their records are checked without any webhook; another amount, another currency, or silence
   * beyond the due date becomes a finding. Every value is validated before the first write; an earlier expectation of the
   * same record is replaced, an equal one changes nothing.
   *
   * @throws ExpectationError, StoreError
   */
  track(...expecting: readonly Expecting[]): Promise<Tracked[]>;
  /** Removes the expectations of a reference, in every kind and environment unless named. */
  forget(order: ForgetOrder): Promise<Forgotten[]>;
  close(): Promise<void>;
}

export interface TrackingOptions {
  /** The receiver's database file; created, with its schema, when it is missing. */
  readonly path: string;
  readonly clock?: Clock;
}

/**
 * Opens the expectations of a database, beside a running `serve` or without one. A resolved call is on disk.
 *
 * @throws StoreError when the file is not ours, cannot be written, or has an older or newer schema
 */
export async function openTracking(given: TrackingOptions): Promise<OpenTracking> {
  requireObject('options', given, "openTracking({ path: 'tallyhook.db' })");
  const { path, ...options } = given;
  requireKnown(given, ['path', 'clock']);
  requireText('path', path);
  const { tracking, close } = await openStore(path, options).operations({ create: true });
  return {
    track: async (...expecting) => {
      const tracked = await Array.fromAsync(track(expecting.map(expectedOf), tracking));
      return tracked.map((one) => ({ ...withAmount(one), before: one.before && withAmount(one.before) }));
    },
    forget: async (order) => {
      requireObject('order', order, "forget({ reference: 'ORDER_17' })");
      requireKnown(order, ['reference', 'kind', 'environment']);
      requireText('reference', order.reference);
      if (order.kind !== undefined) requireKind(order.kind);
      if (order.environment !== undefined) requireEnvironment(order.environment);
      return (await tracking.forget(order)).map(withAmount);
    },
    close,
  };
}

/** What came from the store's thread, as a program may print it or make JSON of it. */
function withAmount<Kept extends { readonly amount: Amount | null }>(kept: Kept): Kept {
  return { ...kept, amount: wholeAmount(kept.amount) };
}

/**
 * Writes these expectations in the order given, MOST_TRACKED per transaction. Equal expectations change nothing, so an
 * interrupted call can be repeated.
 *
 * @throws StoreError
 */
export async function* track(
  expected: readonly Expected[],
  tracking: Tracking,
): AsyncGenerator<Tracked, void, undefined> {
  for (let from = 0; from < expected.length; from += MOST_TRACKED) {
    yield* await tracking.track({ expected: expected.slice(from, from + MOST_TRACKED) });
  }
}

const EXPECTING = namesOf<Expecting>({
  kind: true,
  environment: true,
  reference: true,
  amount: true,
  currency: true,
  due: true,
});

function requireKind(kind: RecordKind): void {
  requireArgument('kind', kind, RECORD_KINDS.includes(kind), `one of ${RECORD_KINDS.join(', ')}`);
}

function requireEnvironment(environment: Environment): void {
  requireArgument('environment', environment, ENVIRONMENTS.includes(environment), `one of ${ENVIRONMENTS.join(', ')}`);
}

function expectedOf(expecting: Expecting): Expected {
  const example = "track({ kind: 'collection', environment: 'live', reference: 'ORDER_17' })";
  requireObject('expectation', expecting, example);
  const { kind, environment, reference, ...values } = expecting;
  requireKnown(expecting, EXPECTING);
  requireKind(kind);
  requireEnvironment(environment);
  requireText('reference', reference);
  if (values.currency != null) requireText('currency', values.currency);
  if (values.due != null) requireArgument('due', values.due, values.due instanceof Date, 'a Date');
  const amount = values.amount == null ? null : expectedAmount(values.amount);
  const currency = values.currency == null ? null : expectedCurrency(values.currency);
  requireCurrency(amount, currency);
  const expectedByMs = values.due == null ? null : expectedTime(values.due);
  return { kind, environment, reference: expectedReference(reference), amount, currency, expectedByMs };
}
