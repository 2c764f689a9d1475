import { expect } from 'vitest';
import { formatAmount, parseAmount } from '../../src/domain/money/amount.ts';
import { InsufficientFundsError, newReference, type RefusedError } from '../../src/service/index.ts';
import { conforms } from '../support/conformance.ts';
import { DECLINED_CARD, errorOf, payByCard, startService } from '../support/service.ts';

const { sandbox, client } = await startService();
const fund = (available: string, pending = '0.00') => sandbox.setBalance({ currency: 'USD', available, pending });
const refused = async (transactionReference: string, amount?: string) =>
  errorOf(
    client.refunds.request({ transactionReference, ...(amount !== undefined && { amount: parseAmount(amount) }) }),
  );

conforms('7.2', ['404'], 'given', '404 transaction not found', async () => {
  const error = await refused('an-unknown-transaction');
  expect(error).toMatchObject({ name: 'TransactionNotFoundError', httpStatus: 404, kind: 'not_found' });
});

conforms('7.2', ['not-successful'], 'given', '422 transaction is not successful', async () => {
  const pending = await payByCard(client, { status: 'pending' });
  expect(await refused(pending)).toMatchObject({ name: 'TransactionNotSuccessfulError', httpStatus: 422 });
  const reference = newReference('card');
  const card = await client.collections.encryptTestCard({ card: DECLINED_CARD, reference });
  const order = { email: 'ada@example.com', amount: parseAmount('5.00'), currency: 'USD', reference, card };
  await errorOf(client.collections.card(order));
  expect(await refused(reference)).toMatchObject({ name: 'TransactionNotSuccessfulError' });
});

conforms('7.2', ['not-card'], 'given', '422 transaction is not a card transaction', async () => {
  const reference = newReference('transfer');
  const order = { email: 'ada@example.com', amount: parseAmount('500.00'), currency: 'NGN', reference };
  await client.collections.bankTransfer({ ...order, status: 'success' });
  expect(await refused(reference)).toMatchObject({ name: 'NotCardTransactionError', httpStatus: 422 });
});

conforms('7.2', ['currency'], 'given', '422 transaction currency is NGN', async () => {
  const naira = await payByCard(client, { currency: 'NGN', amount: '500.00' });
  expect(await refused(naira)).toMatchObject({ name: 'UnsupportedRefundCurrencyError', httpStatus: 422 });
});

conforms('7.2', ['exceeds'], 'given', '422 amount exceeds the remaining refundable amount', async () => {
  fund('500.00');
  const transactionReference = await payByCard(client, { amount: '20.00' });
  await client.refunds.request({ transactionReference, amount: parseAmount('15.00') });
  expect(await refused(transactionReference, '5.01')).toMatchObject({
    name: 'RefundExceedsRemainingError',
    httpStatus: 422,
  });
  expect(await refused(transactionReference, '5.00').catch((accepted) => accepted)).toMatchObject({
    message: /expected to fail/,
  });
});

conforms(
  '7.2',
  ['funds'],
  'given',
  '422 insufficient funds carries required, available_balance, pending_balance, shortfall',
  async () => {
    const transactionReference = await payByCard(client, { amount: '20.00' });
    fund('3.10', '4.25');
    const error = await refused(transactionReference);
    expect(error).toBeInstanceOf(InsufficientFundsError);
    const { required, availableBalance, pendingBalance, shortfall, currency } = error as InsufficientFundsError;
    const figures = [required, availableBalance, pendingBalance, shortfall].map((each) => each && formatAmount(each));
    expect([...figures, currency]).toEqual(['20.50', '3.10', '4.25', '13.15', 'USD']);
  },
);

conforms(
  '7.2',
  ['funds'],
  'given',
  '422 insufficient funds: the pending balance is what existing refund holds leave',
  async () => {
    const first = await payByCard(client, { amount: '10.00' });
    const second = await payByCard(client, { amount: '10.00' });
    fund('0.00', '12.00');
    await client.refunds.request({ transactionReference: first });
    const { pendingBalance, shortfall } = (await refused(second)) as InsufficientFundsError;
    expect([pendingBalance, shortfall].map((each) => each && formatAmount(each))).toEqual(['1.50', '9.00']);
  },
);

conforms('7.2', ['409'], 'given', '409 transaction already fully refunded', async () => {
  fund('500.00');
  const transactionReference = await payByCard(client);
  await client.refunds.request({ transactionReference });
  expect(await refused(transactionReference, '1.00')).toMatchObject({ name: 'AlreadyRefundedError', httpStatus: 409 });
});

conforms('7.2', ['fields'], 'given', '422 invalid fields carries the messages of each field', async () => {
  const error = await errorOf(
    client.refunds.request({ transactionReference: 'a-transaction', amount: parseAmount('9999999999999999.00') }),
  );
  expect(error).toMatchObject({ name: 'InvalidFieldsError', httpStatus: 422 });
  expect((error as RefusedError).fields.amount).toEqual([expect.any(String)]);
});

conforms(
  '8',
  ['minimum-refund', 'maximum-refund', 'refund-currency'],
  'given',
  'a refund is from 0.01 to what remains, of USD cards',
  async () => {
    fund('500.00');
    const transactionReference = await payByCard(client, { amount: '1.00' });
    const least = await client.refunds.request({ transactionReference, amount: parseAmount('0.01') });
    const most = await client.refunds.request({ transactionReference, amount: parseAmount('0.99') });
    expect([least, most].map(({ refund }) => refund.amount && formatAmount(refund.amount))).toEqual(['0.01', '0.99']);
    expect(await refused(await payByCard(client, { currency: 'GHS' }))).toMatchObject({
      name: 'UnsupportedRefundCurrencyError',
    });
  },
);

conforms(
  '8',
  ['merchant_note', 'idempotency_key'],
  'given',
  'one character more than the limits is refused here',
  async () => {
    const transactionReference = 'a-transaction';
    const note = client.refunds.request({ transactionReference, merchantNote: 'n'.repeat(2001) });
    expect(await errorOf(note)).toMatchObject({ field: 'merchantNote', message: /2001 characters, and may have 2000/ });
    const key = client.refunds.request({ transactionReference, idempotencyKey: 'k'.repeat(191) });
    expect(await errorOf(key)).toMatchObject({ field: 'idempotencyKey', message: /191 characters, and may have 190/ });
  },
);
