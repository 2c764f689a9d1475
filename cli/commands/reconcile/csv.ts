import { isAmount } from '../../../src/domain/money/amount.ts';
import type { Reconciliation } from '../../../src/reconcile/reconcile.ts';
import { amountCell, type CsvColumns, csvLines } from '../../show/csv.ts';
import type { Sink } from '../../show/sink.ts';
import type { Breaks, ListedBreak } from './breaks.ts';

// Breaks and what waits as CSV, for a spreadsheet: amounts are exact numbers; ids, references and dates are texts.

const COLUMNS: CsvColumns<ListedBreak> = {
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
  effect: ({ effect }) => amountCell(effect),
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
  const lists = {
    breaks: result.breaks,
    timing: result.timing,
    suggested: result.suggested,
    unexplained: result.unexplained,
    carried: result.carried,
    not_confirmed: result.notConfirmed,
  };
  for (const [name, items] of Object.entries(lists)) {
    for await (const batch of breaks(items)) {
      await sink.write(csvLines(batch.map((one) => [name, ...Object.values(COLUMNS).map((value) => value(one))])));
    }
  }
}
