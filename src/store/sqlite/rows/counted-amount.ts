import { AMOUNT_FACT } from '../../../domain/expectations/expectation.ts';
import type { RecordKind } from '../../../domain/records/lifecycle.ts';
import { snakeCase } from './snake-case.ts';

/** `countedAmount` of the domain, as expressions. A test of the port compares both. */
export function countedAmount(kind: RecordKind): { readonly minor: string; readonly currency: string } {
  const fact = `${snakeCase(AMOUNT_FACT[kind])}_minor`;
  const answered = `coalesce(confirmed_${fact}, CASE WHEN ${fact} IS NULL THEN confirmed_amount_minor END)`;
  return {
    minor: `coalesce(${answered}, ${fact}, amount_minor)`,
    currency: `CASE WHEN ${answered} IS NULL THEN currency ELSE coalesce(confirmed_currency, currency) END`,
  };
}
