import type { BreakFacts } from '../domain/break.ts';
import type { Environment } from '../domain/environment.ts';
import type { RecordKind } from '../domain/lifecycle.ts';
import { compareTexts } from '../domain/observation.ts';

/**
 * A break, or what waits, as a run holds it: a period without a status endpoint has one for each of a million records, so the
 * facts of alike ones are shared, and what can be computed is computed when it is printed.
 */
export interface Item {
  readonly facts: BreakFacts;
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly reference: string;
  /** Null: there is no record of ours behind it. */
  readonly recordId: number | null;
  readonly currency: string | null;
  /** The amount of the record, in minor units. */
  readonly minor: bigint | null;
  /** The due date, else the date of the record. */
  readonly firstSeen: string;
}

/** The order of every list: never by ids or arrival, so that a report depends on what was said alone. */
export function compareItems(one: Item, other: Item): number {
  return (
    compareTexts(one.environment, other.environment) ||
    compareTexts(one.currency ?? '', other.currency ?? '') ||
    compareTexts(one.facts.code, other.facts.code) ||
    compareTexts(one.firstSeen, other.firstSeen) ||
    compareTexts(one.reference, other.reference) ||
    compareTexts(one.kind, other.kind) ||
    compareTexts(one.facts.sub ?? '', other.facts.sub ?? '') ||
    compareTexts(one.facts.field ?? '', other.facts.field ?? '')
  );
}
