import { addAmounts, compareAmounts, isAmount } from '../money/amount.ts';
import type { Fields, FieldValue } from '../records/fields.ts';
import type { RecordKind } from '../records/lifecycle.ts';
import { sameOutcome } from '../records/observation.ts';
import { FEE_FIELD, MONEY_FIELDS, type WitnessMoney } from '../records/witness-money.ts';
import type { BreakCode, BreakFacts } from './break.ts';

const CODE_OF_FIELD = {
  amount: 'amount_mismatch',
  requestedAmount: 'amount_mismatch',
  currency: 'currency_mismatch',
  fee: 'fee_mismatch',
  fees: 'fee_mismatch',
  stampDuty: 'duty_mismatch',
} as const satisfies Record<(typeof MONEY_FIELDS)[RecordKind][number], BreakCode>;

interface TwoWitnesses {
  readonly kind: RecordKind;
  readonly reported: string | null;
  readonly confirmed: string | null;
  readonly money: WitnessMoney;
}

/**
 * Returns a break for each field of money in which the webhooks and the service differ. Fees and charges may change with the
 * status, so only witnesses of one status are compared; a field that one of them does not say is not compared. Pure.
 */
export function witnessBreaks({ kind, reported, confirmed, money }: TwoWitnesses): BreakFacts[] {
  if (reported === null || confirmed === null || !isAlike(reported, confirmed)) return [];
  return MONEY_FIELDS[kind].flatMap((field): BreakFacts[] => {
    const [theirs, ours] = [money.reported[field] ?? null, money.confirmed[field] ?? null];
    if (theirs === null || ours === null || isEqual(theirs, ours)) return [];
    if (kind === 'collection' && field === 'amount' && isNetOfOther(money)) return [];
    return [{ code: CODE_OF_FIELD[field], sub: null, side: 'ours', field, ours, theirs, detail: null }];
  });
}

function isAlike(one: string, other: string): boolean {
  return one === other || sameOutcome(one, other);
}

function isEqual(one: FieldValue, other: FieldValue): boolean {
  return isAmount(one) && isAmount(other) ? compareAmounts(one, other) === 0 : one === other;
}

/** A notice may give the charge with its fee or without (decision 48): then both say the same. */
function isNetOfOther({ reported, confirmed }: WitnessMoney): boolean {
  const fee = fees(confirmed) ?? fees(reported);
  const [one, other] = [reported.amount, confirmed.amount];
  if (fee === null || !isAmount(one) || !isAmount(other)) return false;
  return compareAmounts(addAmounts(one, fee), other) === 0 || compareAmounts(addAmounts(other, fee), one) === 0;
}

function fees(money: Fields) {
  const fee = money[FEE_FIELD.collection];
  return isAmount(fee) ? fee : null;
}
