import { WALLETS } from '../accounts.ts';
import type { Business } from '../business.ts';
import { collectionOf } from '../collections.ts';
import { payOut } from '../payouts.ts';
import type { ExpectedItem } from '../story.ts';

/* The wallet shows what the record's status does not allow. */

const item = (plant: string, kind: string, account: string, currency: string): ExpectedItem => ({
  ...{ list: 'breaks', plant, code: 'status_mismatch', sub: 'internal_vs_statement', leg: 'records-wallet' },
  ...{ side: 'ours', kind, environment: 'test', account, currency },
});

export function failedButDebited(b: Business): void {
  const { record, whole, debit } = payOut(b, { day: b.day(), amount: b.oddAmount(), status: 'failed', debit: {} });
  b.book.expect({
    ...item('a failed payout that was debited', 'payout', 'wallet-ghs', 'GHS'),
    ...{ reference: record.reference, effect: -whole, lines: debit === null ? [] : [debit] },
  });
}

export function reversedButNotBack(b: Business): void {
  const paid = payOut(b, { day: b.day(), amount: b.oddAmount(), status: 'reversed', reversal: null });
  b.book.expect({
    ...item('a reversed payout that did not come back', 'payout', 'wallet-ghs', 'GHS'),
    ...{ reference: paid.record.reference, effect: -paid.whole, lines: paid.debit === null ? [] : [paid.debit] },
  });
}

export function failedButCredited(b: Business): void {
  const [amount, day] = [b.oddAmount(), b.day()];
  const record = b.book.record(collectionOf(b, { day, amount, fee: 0n, currency: 'NGN', status: 'failed' }));
  const line = b.book.line(WALLETS.NGN, day, 'collection', amount, { reference: record.reference });
  b.book.maybeMatch('records-wallet');
  b.book.expect({
    ...item('a failed collection that was credited', 'collection', 'wallet-ngn', 'NGN'),
    ...{ reference: record.reference, effect: amount, lines: [line] },
  });
}
