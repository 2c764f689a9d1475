import type { Business } from '../business.ts';
import { october, timeOn } from '../days.ts';
import { moneyText as text } from '../money.ts';
import { payOut } from '../payouts.ts';
import { giveBack } from '../refunds.ts';
import type { ExpectedItem } from '../story.ts';

/* What webhooks and service say against each other: one break of the finding, and an ordinary match in the wallet. */

const item = (plant: string, code: string, sub: string | null, kind: string, reference: string): ExpectedItem => ({
  ...{ list: 'breaks', plant, code, sub, leg: null, kind, environment: 'test', account: null, reference, effect: 0n },
});

export function webhookAgainstService(b: Business): void {
  const webhooks = [['success', {}]] as const;
  const { record } = payOut(b, { day: b.day(), amount: b.oddAmount(), status: 'failed', webhooks });
  b.book.expect({
    ...item('the service says failed', 'status_mismatch', 'webhook_vs_api', 'payout', record.reference),
    ...{ field: 'status', ours: 'failed', theirs: 'success' },
  });
}

export function otherAmount(b: Business): void {
  const amount = b.oddAmount();
  const webhooks = [['success', { amount: text(amount + 100n) }]] as const;
  const { record } = payOut(b, { day: b.day(), amount, webhooks });
  b.book.expect({
    ...item('the webhook has another amount', 'amount_mismatch', null, 'payout', record.reference),
    ...{ field: 'amount', ours: text(amount), theirs: text(amount + 100n), variance: '1.00' },
  });
}

export function otherFee(b: Business): void {
  const webhooks = [['success', { fee: '15.00' }]] as const;
  const { record } = payOut(b, { day: b.day(), amount: b.oddAmount(), fee: 1_250n, webhooks });
  b.book.expect({
    ...item('the webhook has another fee', 'fee_mismatch', null, 'payout', record.reference),
    ...{ field: 'fee', ours: '12.50', theirs: '15.00', variance: '2.50' },
  });
}

export function otherDestination(b: Business): void {
  const webhooks = [['success', { account_number: '0123456789' }]] as const;
  const { record } = payOut(b, { day: b.day(), amount: b.oddAmount(), account: '9876543210', webhooks });
  b.book.expect(item('the webhook has another destination', 'fact_mismatch', null, 'payout', record.reference));
}

export function unreadableAmount(b: Business): void {
  const webhooks = [['success', { amount: '1,00' }]] as const;
  const { record } = payOut(b, { day: b.day(), amount: b.oddAmount(), webhooks });
  b.book.expect({
    ...item('the webhook has an unreadable amount', 'unparsed', null, 'payout', record.reference),
    field: 'amount',
  });
}

/** Two webhooks of one time. */
export function tied(b: Business): void {
  const at = { updated_at: timeOn(october(9), 30) };
  const webhooks = [
    ['failed', { ...at, completed_at: null }],
    ['processing', { ...at, completed_at: null }],
  ] as const;
  const given = { requested: october(5), ended: october(10), amount: b.oddAmount(), status: 'success', webhooks };
  const { record } = giveBack(b, given);
  b.book.expect(item('two statuses at one time', 'status_mismatch', 'tie', 'refund', record.reference));
}

export function fundingDoesNotAddUp(b: Business): void {
  const [amount, fee] = [b.oddAmount(), 50n];
  const reserved = amount + fee + 80n;
  const data = { total_reserved: text(reserved), funding: { status: 'funded' } };
  const given = { requested: october(27), ended: null, amount, fee, status: 'processing', reserved, data };
  const { record } = giveBack(b, given);
  b.book.expect({
    ...item('a reserve that is not amount and fee', 'reserve_mismatch', null, 'refund', record.reference),
    ...{ ours: text(amount + fee), theirs: text(reserved), variance: '0.80' },
  });
}

export function stuck(b: Business): void {
  const { record } = payOut(b, { day: october(6), amount: b.oddAmount(), status: 'pending' });
  b.book.expect({
    ...item('a payout pending for weeks', 'stuck', null, 'payout', record.reference),
    ours: 'pending',
  });
}

/** Sent twice by us: the later one is the duplicate, and what it means to us never reached the wallet. */
export function sentTwice(b: Business): void {
  const same = { amount: b.oddAmount(), sessionId: b.name('S'), account: '5000000003' };
  payOut(b, { day: october(8), ...same });
  const { record, whole } = payOut(b, { day: october(9), ...same, debit: null });
  b.book.expect({
    ...{ list: 'breaks', plant: 'a payout twice', code: 'duplicate_internal', side: 'ours', kind: 'payout' },
    ...{ environment: 'test', reference: record.reference, currency: 'GHS', effect: whole, account: 'wallet-ghs' },
  });
}
