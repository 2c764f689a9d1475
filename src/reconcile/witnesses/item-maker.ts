import type { Environment } from '../../domain/environment.ts';
import { toMinorOrNull } from '../../domain/money/amount.ts';
import type { BreakFacts, Item } from '../../domain/reconciling/break.ts';
import { UNCONFIRMED } from '../../domain/reconciling/witnessed-record.ts';
import type { RecordKind } from '../../domain/records/lifecycle.ts';
import { countedAmount } from '../../domain/records/witness-money.ts';
import type { KnownRecord } from '../../store/reconciliation.ts';
import type { Span } from '../load/order.ts';

/** The record that an item is about. */
export interface Named {
  readonly id: number;
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly reference: string;
  readonly currency: string | null;
  readonly minor: bigint | null;
  readonly effectiveAtMs: number;
}

/** Makes the items of one run. */
export class ItemMaker {
  readonly #span: Span;
  /** One object for all facts that are alike: waiting records differ in nothing but their status. */
  readonly #shared = new Map<string, BreakFacts>();

  constructor(span: Span) {
    this.#span = span;
  }

  /** The date of the item is that of its record; with a due date that has come, or is waited for, that one. */
  make(named: Named, facts: BreakFacts, dueAtMs: number | null): Item {
    const { id, kind, environment, reference, currency, minor, effectiveAtMs } = named;
    const isDue = dueAtMs !== null && (facts.code === 'timing' || dueAtMs <= this.#span.judgedAtMs);
    const firstSeen = this.#span.days.dayOf(isDue ? dueAtMs : effectiveAtMs);
    return {
      facts: this.#sharedFacts(facts),
      kind,
      environment,
      reference,
      recordId: id,
      currency,
      minor,
      firstSeen,
      date: this.#span.days.dayOf(effectiveAtMs),
      place: null,
    };
  }

  #sharedFacts(facts: BreakFacts): BreakFacts {
    const { code, sub, ours, theirs, detail } = facts;
    const isOwn = detail !== null && detail !== UNCONFIRMED;
    if (isOwn || theirs !== null || typeof ours === 'object') return facts;
    const name = `${code} ${sub} ${ours} ${detail}`;
    const known = this.#shared.get(name);
    if (known !== undefined) return known;
    if (this.#shared.size < MOST_SHARED) this.#shared.set(name, facts);
    return facts;
  }
}

/** Most facts that are shared: there are few statuses, unless a sender invents them. */
const MOST_SHARED = 1_000;

/** The amount of a record that counts, as an item keeps it. */
export function moneyOf(record: KnownRecord): Pick<Named, 'currency' | 'minor'> {
  const { amount, currency } = countedAmount(record);
  return { currency, minor: amount === null ? null : toMinorOrNull(amount) };
}
