import { withoutCopies } from '../../domain/matching/copies.ts';
import { changeOf, isOfPeriod } from '../../domain/matching/law.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import { chargesOf } from '../../domain/matching/sums.ts';
import { amountOfMinor } from '../../domain/money/amount.ts';
import type { Item } from '../../domain/reconciling/break.ts';
import { collectedMoney } from '../../domain/records/refund-funding.ts';
import type { LooseLine } from '../../store/scratch/open-rows.ts';
import type { StatementSummary } from '../../store/statements.ts';
import { lineKey } from '../load/bases.ts';
import { isListedBefore } from './enter.ts';
import { list } from './list.ts';
import { lineName, posted } from './place-item.ts';
import type { MatchRun } from './run.ts';

/*
 * Chargebacks stand in no leg: what a statement takes back of a collection is ours, too. But it takes each once, and no more than was
 * collected. Each kind of statement shows them by itself.
 */

type Chargeback = LooseLine & TheirLine;

/** Finds the lines that repeat a chargeback or its end, and lists collections of which more was charged back than collected. */
export function checkChargebacks(run: MatchRun, statements: readonly StatementSummary[]): void {
  const { scratch, window } = run;
  const kinds = new Map(statements.map(({ account }) => [account.name, account.kind]));
  const known = new Map<string, { readonly collection: OurRow; readonly lines: Chargeback[] }>();
  for (const line of scratch.rows.chargebacks(window.until)) {
    const collection = collectionOf(run, line);
    if (collection === null) continue;
    const name = JSON.stringify([kinds.get(line.account), line.environment, line.currency, collection.reference]);
    const group = known.get(name) ?? { collection, lines: [] };
    known.set(name, group);
    group.lines.push(line as Chargeback);
  }
  for (const { collection, lines } of known.values()) {
    const collected = collection.currency === lines[0]?.currency ? collectedOf(collection) : null;
    // Up to where they make what was collected, they are parts of it, and no copies.
    const whole = lines.findLastIndex((_, index) => chargedBack(lines.slice(0, index + 1)) === collected);
    const { kept, copies } = withoutCopies(lines, { held: true, paid: true }, new Set(lines.slice(0, whole + 1)));
    for (const { id } of copies) run.chargebackCopies.add(id);
    if (collected !== null && chargedBack(kept) > collected) listOver(run, collection, kept, collected);
  }
}

/** The collection that a chargeback names; null: it names none that we know. */
export function collectionOf({ scratch }: Pick<MatchRun, 'scratch'>, line: LooseLine): OurRow | null {
  for (const name of namesOf(line)) {
    const id = scratch.rows.named('collection', line.environment, name);
    if (id !== null) return scratch.rows.one(id);
  }
  return null;
}

/** By what a chargeback may name its collection. */
export function namesOf({ transactionReference, reference }: LooseLine): string[] {
  return [transactionReference, reference].filter((name) => name !== null);
}

function collectedOf({ status, requested, amount }: OurRow): bigint | null {
  return collectedMoney({ status, requested, charged: amount });
}

/** Before charges; what came back is taken off. */
function chargedBack(lines: readonly TheirLine[]): bigint {
  return -lines.reduce((sum, line) => sum + line.amount + chargesOf(line), 0n);
}

function listOver(run: MatchRun, collection: OurRow, lines: readonly TheirLine[], collected: bigint): void {
  const { window } = run;
  const within = lines.findLastIndex((_, index) => chargedBack(lines.slice(0, index + 1)) <= collected);
  const line = lines[within + 1];
  if (line === undefined) return;
  const { environment, reference, recordId, currency } = collection;
  const { account } = line;
  const isLate = run.late.of([], [line]).isSome;
  const item: Item = {
    facts: {
      ...{ code: 'amount_mismatch', sub: 'over_charged_back', side: 'ours', field: 'charged_back' },
      ...{ ours: amountOfMinor(collected), theirs: amountOfMinor(chargedBack(lines)), detail: null },
    },
    ...{ kind: 'collection', environment, reference, recordId, currency, minor: collected, firstSeen: line.date },
    place: { leg: null, account, effect: 0n, line: lineName(line), candidates: [], names: null },
  };
  const { from } = window;
  const listed = posted(item, isLate ? from : null);
  const change = changeOf({ from, moved: [], wasOpen: listed.firstSeen < from, isOpen: true, isLate });
  const name = { environment, account, currency };
  if (!isOfPeriod(change) && !isListedBefore(run, name, { ours: [], lines: [lineKey(line)] })) return;
  list(run, name, { change }, listed);
}
