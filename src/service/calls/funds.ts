import { isObject, member } from '../../domain/events/json.ts';
import { exact, readFields, text } from '../../domain/records/fields.ts';
import { InsufficientFundsError } from '../errors/refund-errors.ts';
import type { RefusalFacts } from '../errors/service-error.ts';
import { amountOf, textOf } from '../refunds/record.ts';
import type { Envelope } from './envelope.ts';

const FUNDS = {
  required: exact('required'),
  availableBalance: exact('available_balance'),
  pendingBalance: exact('pending_balance'),
  shortfall: exact('shortfall'),
  currency: text('currency'),
};

/** Returns the error of a refusal for lack of money, with the figures that the service sent; null for any other refusal. */
export function fundsRefusal(
  facts: RefusalFacts,
  { root, data }: Pick<Envelope, 'root' | 'data'>,
): InsufficientFundsError | null {
  const words = `${facts.message} ${Object.values(facts.fields).flat().join(' ')}`;
  const inData = isObject(data) && member(root, 'shortfall') === undefined && member(data, 'shortfall') !== undefined;
  const source = inData ? data : root;
  if (member(source, 'shortfall') === undefined && !/insufficient|not enough/i.test(words)) return null;
  const { required, availableBalance, pendingBalance, shortfall, currency } = readFields(source, FUNDS).fields;
  return new InsufficientFundsError(facts, {
    required: amountOf(required),
    availableBalance: amountOf(availableBalance),
    pendingBalance: amountOf(pendingBalance),
    shortfall: amountOf(shortfall),
    currency: textOf(currency),
  });
}
