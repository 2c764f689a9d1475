import { isAmount } from '../../../src/domain/money/amount.ts';
import type { Reconciliation } from '../../../src/reconcile/reconcile.ts';
import { amountCell, type CsvColumns, csvLines } from '../../show/csv.ts';
import type { Sink } from '../../show/sink.ts';
import type { Breaks, ListedBreak } from './breaks.ts';

// Breaks and what waits as CSV, for a spreadsheet: amounts are exact numbers; ids, references and dates are texts.

interface Row extends ListedBreak {
  /** Its effect is in no proof: the statement's own opening balance has it on both sides. */
  readonly isInOpening: boolean;
}

const COLUMNS: CsvColumns<Row> = {
  id: ({ id }) => id,
  code: ({ code }) => code,
  sub: ({ sub }) => sub,
  leg: ({ leg }) => leg,
  side: ({ side }) => side,
  kind: ({ kind }) => kind,
  environment: ({ environment }) => environment,
  account: ({ account }) => account,
  reference: ({ reference }) => reference,
  statement: ({ line }) => line?.statement ?? null,
  row: ({ line }) => line?.row ?? null,
  field: ({ field }) => field,
  currency: ({ currency }) => currency,
  amount: ({ amount }) => amountCell(amount),
  ours: ({ ours }) => (isAmount(ours) ? amountCell(ours) : ours),
  theirs: ({ theirs }) => (isAmount(theirs) ? amountCell(theirs) : theirs),
  variance: ({ variance }) => amountCell(variance),
  effect: ({ isInOpening, effect }) => (isInOpening ? null : amountCell(effect)),
  effect_outside: ({ isInOpening, effect }) => (isInOpening ? amountCell(effect) : null),
  first_seen: ({ firstSeen }) => firstSeen,
  age_days: ({ ageDays }) => ageDays,
  reason: ({ reason }) => reason,
  next_step: ({ nextStep }) => nextStep,
  status: ({ exception }) => exception?.status ?? null,
  resolution: ({ exception }) => exception?.resolution ?? null,
};

/** Writes the breaks, then what waits; the first column names the list. */
export async function writeCsv(result: Reconciliation, breaks: Breaks, sink: Sink): Promise<void> {
  await sink.write(csvLines([['list', ...Object.keys(COLUMNS)]]));
  const lists = [
    ['breaks', result.breaks],
    ['timing', result.timing],
    ['suggested', result.suggested],
    ['unexplained', result.unexplained],
    ['carried', result.carried],
    ['carried', result.inOpening],
    ['not_confirmed', result.notConfirmed],
  ] as const;
  for (const [name, items] of lists) {
    const isInOpening = items === result.inOpening;
    for await (const batch of breaks(items)) {
      const rows = batch.map((one) => Object.values(COLUMNS).map((value) => value({ ...one, isInOpening })));
      await sink.write(csvLines(rows.map((cells) => [name, ...cells])));
    }
  }
}
