import { AMOUNT_FACT, type Expectation } from '../expectations/expectation.ts';
import { type Amount, compareAmounts } from '../money/amount.ts';
import type { RecordKind } from '../records/lifecycle.ts';
import type { Finding } from './finding.ts';

interface AnsweredAmount {
  readonly kind: RecordKind;
  /** In the latest usable answer; null without one. */
  readonly amount: Amount | null;
  readonly currency: string | null;
  /** Null: any value is right, also when the record is not tracked. */
  readonly expected: Pick<Expectation, 'amount' | 'currency'>;
  readonly openFindings: readonly Pick<Finding, 'code' | 'subject'>[];
}

/** Whether the amount to be paid, or its currency, differs from another observation or from the expectation, or less was charged. Pure. */
export function isAmountDisputed({ kind, amount, currency, expected, openFindings }: AnsweredAmount): boolean {
  const found = openFindings.some(
    ({ code, subject }) =>
      code === 'amount_unexpected' ||
      code === 'currency_unexpected' ||
      code === 'underpaid' ||
      (code === 'fact_conflict' && (subject === AMOUNT_FACT[kind] || subject === 'currency')),
  );
  const otherAmount = amount !== null && expected.amount !== null && compareAmounts(amount, expected.amount) !== 0;
  const otherCurrency = currency !== null && expected.currency !== null && currency !== expected.currency;
  return found || otherAmount || otherCurrency;
}
