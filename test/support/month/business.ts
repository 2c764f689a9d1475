import { seededRandom } from '../random.ts';
import { BANK, WALLETS, type WalletCurrency } from './accounts.ts';
import { Book } from './book.ts';
import { nextBusinessDay, october, TO, timeOn } from './days.ts';
import { sumOf } from './money.ts';
import type { AccountName, FileLine, OurRecord } from './story.ts';

/** What a line of a story differs in from a right one; null: there is no line. */
export type LineChange = Partial<FileLine> | null;

export interface BusinessOptions {
  readonly seed: number;
  /** Whether the merchant's own books are a statement. */
  readonly books: boolean;
  /** Whether settlement and bank are statements. */
  readonly settlements: boolean;
}

/** The hands of the stories: names, chances, and what one payment leaves on each account. */
export class Business {
  readonly book = new Book();
  readonly options: BusinessOptions;
  readonly random: () => number;
  readonly #batches = new Map<string, { readonly day: string; readonly lines: FileLine[] }>();
  readonly #closed = new Set<string>();
  #names = 0;
  #oddAmounts = 0n;

  constructor(options: BusinessOptions) {
    this.options = options;
    this.random = seededRandom(options.seed);
  }

  name(prefix: string): string {
    this.#names += 1;
    return `${prefix}-${String(this.#names).padStart(7, '0')}`;
  }

  /** A whole number from 0 to below `count`. */
  pick(count: number): number {
    return Math.floor(this.random() * count);
  }

  /** An amount that no other row of the month has: above 1,000,000.00, so that no two are alike by chance. */
  oddAmount(): bigint {
    this.#oddAmounts += 1n;
    return 100_000_000n + this.#oddAmounts * 1_037n;
  }

  /** A day early enough that everything about it is due before the month ends. */
  day(last = 22): string {
    return october(2 + this.pick(last - 1));
  }

  /** An amount of an ordinary payment: it ends with 0, as no odd amount does by itself. */
  amount(): bigint {
    return BigInt(1_000 + this.pick(800_000)) * 10n;
  }

  times(day: string): Pick<OurRecord, 'beganAt' | 'endedAt' | 'day'> {
    const minute = this.pick(700);
    return { day, beganAt: timeOn(day, minute), endedAt: timeOn(day, minute + 1) };
  }

  /** A line of the settlement file; its batch is paid on that day. */
  batched(group: string, day: string, line: FileLine): void {
    const batch = this.#batches.get(group);
    if (batch === undefined) this.#batches.set(group, { day, lines: [line] });
    else batch.lines.push(line);
  }

  /** The day's ordinary batch of a payment. */
  batchOf(day: string): { readonly group: string; readonly day: string } {
    const paid = nextBusinessDay(day);
    return { group: `B-${paid}`, day: paid };
  }

  /** What a batch adds up to; the story that asks writes its lines of wallet and bank itself. */
  close(group: string): { readonly day: string; readonly sum: bigint } {
    const batch = this.#batches.get(group);
    if (batch === undefined) throw new Error(`there is no batch ${group}`);
    this.#closed.add(group);
    return { day: batch.day, sum: sumOf(batch.lines.map(({ amount }) => amount)) };
  }

  /** A row whose amount cannot be read; `amount` is what it moved all the same. */
  unreadable(
    account: AccountName,
    day: string,
    type: FileLine['type'],
    amount: bigint,
    reference: string | null,
  ): void {
    this.book.line(account, day, type, amount, { reference, unreadable: '12..50' });
  }

  /** Pays every batch that no story has paid: out of the wallet on its day, into the bank a business day later. */
  payBatches(): void {
    for (const group of this.#batches.keys()) {
      if (this.#closed.has(group)) continue;
      const { day, sum } = this.close(group);
      this.bookBatch(day, sum);
      this.book.line(WALLETS.NGN, day, 'settlement', -sum, { group });
      this.book.line(BANK, nextBusinessDay(day), 'settlement', sum, { group });
      if (day > TO) continue;
      this.book.match('batch-wallet');
      this.book.match('batch-bank');
      if (nextBusinessDay(day) > TO) this.#inTransit(group, sum);
    }
  }

  /** What a batch means to us: it leaves the wallet and reaches the bank. */
  bookBatch(day: string, sum: bigint): void {
    this.book.post(WALLETS.NGN, day, { settlements: -sum });
    this.book.post(BANK, day, { settlements: sum });
  }

  #inTransit(group: string, sum: bigint): void {
    this.book.expect({
      ...{ plant: 'batch paid to the bank in the next month', list: 'timing', code: 'timing', leg: 'batch-bank' },
      ...{ side: 'ours', environment: 'test', account: BANK.name, reference: group, currency: 'NGN', effect: -sum },
    });
  }

  wallet(currency: string) {
    return WALLETS[currency as WalletCurrency];
  }
}
