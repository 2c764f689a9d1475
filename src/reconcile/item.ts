import type { Environment } from '../domain/environment.ts';
import type { BreakFacts, LineName } from '../domain/reconciling/break.ts';
import type { OurKind } from '../domain/reconciling/rules.ts';
import { compareTexts } from '../domain/records/observation.ts';
import type { KeptBreak } from '../store/runs.ts';

/**
 * A break, or what waits, as a run holds it: a period without a status endpoint has one for each of a million records, so the
 * facts of alike ones are shared, and what can be computed is computed when it is printed.
 */
export interface Item {
  readonly facts: BreakFacts;
  /** Null: no row of ours is behind it. */
  readonly kind: OurKind | null;
  readonly environment: Environment;
  /** Null: a line that names nothing. */
  readonly reference: string | null;
  /** Null: there is no record of ours behind it. */
  readonly recordId: number | null;
  readonly currency: string | null;
  /** The amount of the record, in minor units; negative where more was given back than it brought. */
  readonly minor: bigint | null;
  /** The due date, else the later date of its rows. */
  readonly firstSeen: string;
  /** The day of the row of ours or of the line that it names; missing: `firstSeen`. */
  readonly date?: string;
  /** Null: a difference between the witnesses of one record, which moves no balance. */
  readonly place: Place | null;
  /** What the run says of it that a closed period froze; missing: it is computed. */
  readonly frozen?: Pick<KeptBreak, 'id' | 'reason' | 'nextStep'>;
}

/** Where an item stands that comes from a statement. */
export interface Place {
  /** Null: the file itself, or a line that stands in no leg. */
  readonly leg: string | null;
  readonly account: string;
  /** What it adds to the closing balance by them, less that by us, in minor units. */
  readonly effect: bigint;
  readonly line: LineName | null;
  /** Lines or rows of ours that fit equally well. */
  readonly candidates: readonly string[];
  /** What an item without a reference is about, for its id; null: the reference. */
  readonly names: string | null;
}

/** What it adds to the closing balance by them, less that by us, in minor units. */
export function effectOf({ place }: Pick<Item, 'place'>): bigint {
  return place?.effect ?? 0n;
}

/** The order of every list: never by ids or arrival, so that a report depends on what was said alone. */
export function compareItems(one: Item, other: Item): number {
  return (
    compareTexts(one.environment, other.environment) ||
    compareTexts(one.currency ?? '', other.currency ?? '') ||
    compareTexts(one.facts.code, other.facts.code) ||
    compareTexts(one.firstSeen, other.firstSeen) ||
    compareTexts(one.reference ?? '', other.reference ?? '') ||
    compareTexts(one.kind ?? '', other.kind ?? '') ||
    compareTexts(one.facts.sub ?? '', other.facts.sub ?? '') ||
    compareTexts(one.facts.field ?? '', other.facts.field ?? '') ||
    compareTexts(one.place?.leg ?? '', other.place?.leg ?? '') ||
    compareTexts(one.place?.account ?? '', other.place?.account ?? '') ||
    compareTexts(nameOf(one), nameOf(other))
  );
}

function nameOf({ place }: Item): string {
  return place === null ? '' : `${place.line?.fingerprint} ${place.line?.occurrence} ${place.names}`;
}
