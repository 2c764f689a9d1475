import { amountOfMinor, formatAmount } from '../../src/domain/money/amount.ts';

/** An amount of minor units as decimal text; null stays null. */
export function money(minor: bigint | null): string | null {
  return minor === null ? null : formatAmount(amountOfMinor(minor));
}
