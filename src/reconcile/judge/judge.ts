import { Books } from '../../domain/matching/book.ts';
import type { Loaded } from '../load/load.ts';
import type { Twins } from '../witnesses/duplicates.ts';
import { bookSums } from './book-sums.ts';
import { checkChargebacks } from './chargebacks.ts';
import { dailyBatches } from './daily-batches.ts';
import { Invoices } from './invoices.ts';
import { judgeLegs } from './legs.ts';
import { type MatchRun, newFindings } from './run.ts';
import { termsOf } from './terms-of.ts';
import { UncomparedLines } from './uncompared.ts';

/** Judges what the passes brought together, and what they left; enters in the books what moved. */
export function judge(loaded: Loaded, twins: readonly Twins[]): MatchRun {
  const run = newRun(loaded, twins);
  bookSums(run);
  checkChargebacks(run, run.statements);
  judgeLegs(run);
  return run;
}

function newRun(loaded: Loaded, twins: readonly Twins[]): MatchRun {
  const { scratch, span, window, statements, sides, decisions } = loaded;
  const { rules } = span.order;
  const undone = decisions.filter(({ isTogether }) => !isTogether);
  return {
    ...loaded,
    books: new Books(),
    legNames: rules.legs.map(({ name }) => name),
    termsOf: termsOf(span, window, scratch),
    daily: dailyBatches(scratch, { until: window.until, sides }),
    invoices: new Invoices(),
    uncompared: new UncomparedLines({ rules, statements, sides }),
    twins: new Map(twins.flatMap((same) => same.map(({ id }) => [id, same]))),
    apart: new Set(undone.map(({ line, ours }) => `${line} ${ours}`)),
    undone: new Map(undone.map(({ line, ours }) => [line, ours])),
    chargebackCopies: new Set(),
    found: newFindings(),
  };
}
