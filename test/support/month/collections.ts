import { BOOKS, LIVE_WALLET, SETTLEMENTS } from './accounts.ts';
import type { Business, LineChange } from './business.ts';
import { isInMonth, TO } from './days.ts';
import { perMille } from './money.ts';
import type { AccountName, FileLine, OurRecord } from './story.ts';

export interface Sale {
  readonly day: string;
  /** The time of the payment, where it matters. */
  readonly paidAt?: string;
  readonly amount: bigint;
  readonly fee?: bigint;
  /** VAT on the fee; null: the files do not divide it from the fee. */
  readonly tax?: bigint | null;
  readonly currency?: string;
  readonly status?: string;
  readonly reference?: string;
  readonly data?: OurRecord['data'];
  readonly webhooks?: OurRecord['webhooks'];
  /** Differences of the lines from right ones. */
  readonly wallet?: LineChange;
  readonly settlement?: LineChange;
  readonly books?: LineChange;
  /** Another batch than the day's. */
  readonly batch?: { readonly group: string; readonly day: string };
}

export interface Sold {
  readonly record: OurRecord;
  readonly net: bigint;
  readonly wallet: FileLine | null;
  readonly settlement: FileLine | null;
  readonly books: FileLine | null;
}

export function feeOf(amount: bigint): bigint {
  return perMille(amount, 20n);
}

/** A collection with its fee and VAT: the wallet the same day, the own books the same day, a batch the next business day. */
export function sell(business: Business, sale: Sale): Sold {
  const { day, amount, fee = feeOf(sale.amount), currency = 'NGN', status = 'success' } = sale;
  const tax = sale.tax === undefined ? perMille(fee, 75n) : sale.tax;
  const { book } = business;
  const net = amount - fee - (tax ?? 0n);
  const record = book.record(collectionOf(business, { ...sale, fee: fee + (tax ?? 0n), currency, status }));
  const parts = { amount: net, fee, tax, duty: null, reference: record.reference, type: 'collection' as const };
  const account = business.wallet(currency);
  if (status === 'success') book.post(account, day, { collections: amount, fees: -fee, tax: -(tax ?? 0n) });
  const put = (into: AccountName, change: LineChange, on: string, over: Partial<FileLine> = {}) => {
    if (change === null) return null;
    const line = { day: on, ...parts, ...over, ...change };
    return book.line(into, line.day, line.type, line.amount, line);
  };
  const wallet = put(account, sale.wallet === undefined ? {} : sale.wallet, day);
  matchOrWait(business, record, wallet, 'records-wallet', account, net);
  const isNaira = currency === 'NGN';
  const books = isNaira && business.options.books ? put(BOOKS, sale.books === undefined ? {} : sale.books, day) : null;
  matchOrWait(business, record, books, 'records-ledger', BOOKS, net);
  if (!isNaira || !business.options.settlements) return { record, net, wallet, settlement: null, books };
  const batch = sale.batch ?? business.batchOf(day);
  const settlement = put(SETTLEMENTS, sale.settlement === undefined ? {} : sale.settlement, batch.day, {
    group: batch.group,
  });
  matchOrWait(business, record, settlement, 'records-settlement', SETTLEMENTS, net);
  if (settlement?.group === batch.group) business.batched(batch.group, batch.day, settlement);
  return { record, net, wallet, settlement, books };
}

/** A record of the month with its line counts as matched; with a line of the next month it is timing too. */
function matchOrWait(
  { book }: Business,
  { reference, day, kind, environment, currency }: OurRecord,
  line: FileLine | null,
  leg: string,
  account: AccountName,
  net: bigint,
): void {
  if (line === null || line.reference !== reference || !isInMonth(day)) return;
  book.match(leg);
  if (line.day <= TO) return;
  book.expect({
    ...{ plant: `${leg}: its line is in the next month`, list: 'timing', code: 'timing', leg, side: 'ours', kind },
    ...{ environment, account: account.name, reference, currency, effect: -net },
  });
}

/** A collection as the service tells it: `fee` with its tax. */
export function collectionOf(
  business: Business,
  sale: Sale & { readonly fee: bigint; readonly currency: string; readonly status: string },
  environment: OurRecord['environment'] = 'test',
): OurRecord {
  const { day, amount, fee, currency, status, reference = business.name('C'), data = {}, webhooks = null } = sale;
  return {
    ...{ kind: 'collection', environment, reference, status, currency, amount, fee, duty: 0n },
    ...business.times(day),
    ...(sale.paidAt !== undefined && { beganAt: sale.paidAt, endedAt: sale.paidAt }),
    ...{ sessionId: null, transactionReference: null, data, webhooks },
  };
}

/** A collection of the live environment, whose wallet's file says the net amount alone. */
export function sellLive(business: Business, sale: Sale & { readonly more?: bigint }): OurRecord {
  const { day, amount, fee = feeOf(sale.amount), more = 0n } = sale;
  const { book } = business;
  const record = book.record(
    collectionOf(business, { ...sale, fee, currency: 'NGN', status: sale.status ?? 'success' }, 'live'),
  );
  const { reference } = record;
  book.post(LIVE_WALLET, day, { collections: amount, fees: -fee });
  book.line(LIVE_WALLET, day, 'collection', amount - fee + more, { reference });
  // Its file says no fee: ours stands on both sides.
  book.theirs.push({ account: LIVE_WALLET, row: 'collections', amount: fee, day });
  book.theirs.push({ account: LIVE_WALLET, row: 'fees', amount: -fee, day });
  book.match('records-wallet');
  return record;
}
