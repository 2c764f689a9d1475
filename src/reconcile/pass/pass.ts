import { SUGGESTING_PASSES } from '../../domain/reconciling/rules.ts';
import type { Loaded } from '../load/load.ts';
import type { Twins } from '../witnesses/duplicates.ts';

/** Lets persons and passes take their lines. Of payouts that are the same only the first takes a line by its session. */
export function pass(loaded: Pick<Loaded, 'scratch' | 'sides' | 'decisions'>, twins: readonly Twins[]): void {
  const { scratch, decisions } = loaded;
  for (const [, ...copies] of twins) for (const { id } of copies) scratch.dropKeys('payout', id);
  scratch.passes.decide(decisions);
  scratch.passes.prepare();
  runPasses(loaded);
}

/** Lets the passes of every leg take their lines, in the order of the rules. */
export function runPasses({ scratch, sides }: Pick<Loaded, 'scratch' | 'sides'>): void {
  const legs = new Map(sides.map(({ number, leg }) => [number, leg]));
  for (const [number, leg] of legs) {
    for (const pass of leg.passes) {
      if (pass === 'transaction_reference_and_amount') scratch.passes.byTransaction(number);
      else if (!SUGGESTING_PASSES.has(pass)) scratch.passes.byKey(number, pass);
      if (pass === 'session_id') scratch.passes.bySession(number);
    }
    scratch.passes.charges(number);
  }
  for (const side of sides) if (side.leg.invoiced !== null) scratch.passes.invoices(side);
  scratch.passes.finish();
}
