import type { LinesSum } from '../../src/domain/balance/rivalry.ts';
import type { RivalFiles } from '../../src/domain/balance/rivals.ts';
import { money } from '../../src/domain/money/amount.ts';

// Statements that cannot be right together with one that was imported.

/** `only` is what the other statement has alone, `onlyHere` what the imported one has, `both` what both have. */
export function rivalJson({ one, rivalry: { how, ...sums } }: RivalFiles) {
  return {
    statement: one.statement,
    file: one.file.name,
    how,
    currency: one.currency,
    only: sumJson(sums.one),
    onlyHere: sumJson(sums.other),
    both: sumJson(sums.both),
  };
}

function sumJson({ lines, minor }: LinesSum) {
  return { lines, sum: money(minor) };
}
