import { type Amount, parseAmount, subtractAmounts, ZERO } from '../money/amount.ts';
import { isCharge } from '../reconciling/codes.ts';
import type { Evidence } from './evidence.ts';

export interface Difference extends Pick<Evidence, 'variance' | 'effect'> {
  readonly code: string;
}

/**
 * What the service owes by a difference: what it charged too much, else what the statement shows too little. Below zero the service
 * took too little, or gave too much; zero: the difference moved no balance.
 */
export function owedOf({ code, variance, effect }: Difference): Amount {
  if (variance !== null && isCharge(code)) return parseAmount(variance);
  return subtractAmounts(ZERO, parseAmount(effect));
}
