import { BOOKS } from './accounts.ts';
import type { Business, LineChange } from './business.ts';
import type { AccountName, FileLine, OurRecord } from './story.ts';

export interface Transfer {
  readonly day: string;
  readonly amount: bigint;
  readonly fee?: bigint;
  readonly duty?: bigint;
  readonly currency?: string;
  readonly status?: 'success' | 'failed' | 'reversed' | 'pending';
  readonly reference?: string;
  readonly sessionId?: string;
  readonly account?: string;
  readonly data?: OurRecord['data'];
  readonly webhooks?: OurRecord['webhooks'];
  /** The wallet's debit and its reversal; a failed payout has neither by default. */
  readonly debit?: LineChange;
  readonly reversal?: LineChange;
  readonly books?: LineChange;
}

export interface Transferred {
  readonly record: OurRecord;
  /** Amount, fee and duty: what leaves the wallet. */
  readonly whole: bigint;
  readonly debit: FileLine | null;
  readonly reversal: FileLine | null;
}

/** A payout: one debit of amount, fee and stamp duty; a reversed one comes back whole. */
export function payOut(business: Business, transfer: Transfer): Transferred {
  const { day, amount, fee = 2_500n, duty = 0n, currency = 'GHS', status = 'success' } = transfer;
  const { book } = business;
  const record = book.record(payoutOf(business, { ...transfer, fee, duty, currency, status }));
  const whole = amount + fee + duty;
  const account = business.wallet(currency);
  const moved = status === 'success' || status === 'reversed';
  if (moved) postPayout(business, account, record, transfer.day);
  const put = (into: AccountName, change: LineChange | undefined, type: FileLine['type'], moves: bigint) => {
    if (change === null) return null;
    const stated = type === 'payout' ? { fee, duty } : {};
    const line = { reference: record.reference, type, day, amount: moves, ...stated, ...change };
    return book.line(into, line.day, line.type, line.amount, line);
  };
  const debit = put(account, transfer.debit === undefined && !moved ? null : transfer.debit, 'payout', -whole);
  const isReversed = transfer.reversal === undefined ? status === 'reversed' : transfer.reversal !== null;
  const reversal = isReversed ? put(account, transfer.reversal, 'payout_reversal', whole) : null;
  if (debit !== null) book.match('records-wallet');
  if (currency === 'NGN' && business.options.books && moved) {
    const own = put(BOOKS, transfer.books, 'payout', -whole);
    if (status === 'reversed') put(BOOKS, transfer.books, 'payout_reversal', whole);
    if (own !== null) book.match('records-ledger');
  }
  return { record, whole, debit, reversal };
}

function postPayout({ book }: Business, account: AccountName, { amount, fee, duty, status }: OurRecord, day: string) {
  book.post(account, day, { payouts: -amount, fees: -fee, duty: -duty });
  if (status === 'reversed') book.post(account, day, { reversals: amount + fee + duty });
}

function payoutOf(
  business: Business,
  { day, amount, fee = 0n, duty = 0n, currency = 'GHS', status = 'success', ...transfer }: Transfer,
): OurRecord {
  const { reference = business.name('P'), sessionId = `S${reference}`, data = {}, webhooks = null } = transfer;
  const account_number = transfer.account ?? String(1_000_000_000 + business.pick(8_000_000_00));
  const times = business.times(day);
  return {
    ...{ kind: 'payout', environment: 'test', reference, status, currency, amount, fee, duty },
    ...{ ...times, endedAt: status === 'pending' ? null : times.endedAt },
    ...{ sessionId, transactionReference: null, webhooks },
    data: { bank_code: '990001', account_number, ...data },
  };
}
