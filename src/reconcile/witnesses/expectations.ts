import { toMinorOrNull } from '../../domain/money/amount.ts';
import type { BreakFacts, Item } from '../../domain/reconciling/break.ts';
import { type ReconciliationArchive, type UnseenExpectation, walkAll } from '../../store/reconciliation.ts';
import type { Span } from '../load/order.ts';

/** Tracked references that neither a webhook nor the service has mentioned: breaks once their date has passed. */
export async function unseenExpectations(
  archive: ReconciliationArchive,
  span: Span,
): Promise<{ readonly breaks: Item[]; readonly timing: Item[] }> {
  const found = { breaks: [] as Item[], timing: [] as Item[] };
  for await (const rows of walkAll((after) => archive.unseenExpectations(span.period, after))) {
    for (const row of rows) {
      if (!span.order.kinds.includes(row.kind)) continue;
      const isDue = row.expectedByMs <= span.judgedAtMs;
      (isDue ? found.breaks : found.timing).push(itemOf(row, isDue, span));
    }
  }
  return found;
}

function itemOf(row: UnseenExpectation, isDue: boolean, { days }: Span): Item {
  const { kind, environment, reference, amount, currency, expectedByMs } = row;
  const facts: BreakFacts = {
    code: isDue ? 'missing_external' : 'timing',
    sub: 'never_seen',
    side: 'ours',
    field: 'reference',
    ours: amount,
    theirs: null,
    detail: null,
  };
  const minor = amount === null ? null : toMinorOrNull(amount);
  return {
    facts,
    kind,
    environment,
    reference,
    recordId: null,
    currency,
    minor,
    firstSeen: days.dayOf(expectedByMs),
    place: null,
  };
}
