import { BANK, SETTLEMENTS, WALLETS } from './accounts.ts';
import { Book } from './book.ts';
import { Business } from './business.ts';
import { clean } from './clean.ts';
import { collectionOf, sell } from './collections.ts';
import { october } from './days.ts';
import { DIALECTS } from './dialects.ts';
import { type FilePlan, planFiles } from './files.ts';
import { sumOf } from './money.ts';
import { payOut } from './payouts.ts';
import { giveBack } from './refunds.ts';
import { type AccountName, type ExpectedItem, type FileLine, PROOF_ROWS, type ProofRow } from './story.ts';

/*
 * October, which is closed, and what comes late for it: docs/matching.md, Laws. `book` is what was known at the close;
 * `late` what came after it, and what the first days of November must show of it.
 */

/** The first days of November, as far as there are files. */
export const NEXT = { from: october(32), to: october(40) } as const;
export const PROVEN_NEXT: readonly AccountName[] = [WALLETS.NGN, WALLETS.USD, BANK];

export interface LateMonth {
  /** Known at the close. */
  readonly book: Book;
  readonly files: readonly FilePlan[];
  /** What came after it: its records and lines, what they move on the first day of November, and what is to be said. */
  readonly late: Book;
  readonly lateFiles: readonly FilePlan[];
  /** November's own files. */
  readonly nextFiles: readonly FilePlan[];
  /** What the late rows explain, so that it is carried no longer. */
  readonly ended: readonly string[];
}

interface Plant {
  readonly b: Business;
  readonly late: Book;
  readonly ended: string[];
}

type Story = (plant: Plant) => void;
const POSTS_ON = NEXT.from;
const FEE = 700n;

const item = (plant: string, account: AccountName, over: Partial<ExpectedItem>): ExpectedItem => ({
  ...{ list: 'breaks', plant, code: 'late_arrival', leg: 'records-wallet', environment: 'test' },
  ...{ account: account.name, currency: account.currency },
  ...over,
});

/** A line that comes late: its money posts in November. `asOurs`: it has no other side. */
function lateLine(
  late: Book,
  account: AccountName,
  day: string,
  type: FileLine['type'],
  amount: bigint,
  more: Partial<FileLine> = {},
) {
  const line = late.line(account, POSTS_ON, type, amount, more);
  const dated = { ...line, day };
  late.lines[late.lines.length - 1] = dated;
  return dated;
}

/** The webhook was lost, and the line was there: the missing record ends. */
const saleWithItsLine: Story = ({ b, late, ended }) => {
  const [day, amount, reference] = [b.day(), b.oddAmount(), b.name('LATE-C')];
  late.record(collectionOf(b, { day, amount, fee: FEE, currency: 'USD', status: 'success', reference }));
  b.book.line(WALLETS.USD, day, 'collection', amount - FEE, { fee: FEE, reference });
  late.post(WALLETS.USD, POSTS_ON, { collections: amount, fees: -FEE });
  late.expect(
    item('a late record whose line was there', WALLETS.USD, {
      side: 'ours',
      kind: 'collection',
      reference,
      effect: 0n,
    }),
  );
  ended.push(`missing_internal ${reference}`);
};

const saleWithoutLine: Story = ({ b, late }) => {
  const [day, amount, reference] = [b.day(), b.oddAmount(), b.name('LATE-C')];
  late.record(collectionOf(b, { day, amount, fee: FEE, currency: 'USD', status: 'success', reference }));
  late.post(WALLETS.USD, POSTS_ON, { collections: amount, fees: -FEE });
  const effect = FEE - amount;
  late.expect(
    item('a late record without a line', WALLETS.USD, { side: 'ours', kind: 'collection', reference, effect }),
  );
};

/** Record and line are both late. */
const wholeSale: Story = ({ b, late }) => {
  const [day, amount, reference] = [b.day(), b.oddAmount(), b.name('LATE-C')];
  late.record(collectionOf(b, { day, amount, fee: FEE, currency: 'USD', status: 'success', reference }));
  lateLine(late, WALLETS.USD, day, 'collection', amount - FEE, { fee: FEE, reference });
  late.post(WALLETS.USD, POSTS_ON, { collections: amount, fees: -FEE });
  late.expect(
    item('a late record with a late line', WALLETS.USD, { side: 'ours', kind: 'collection', reference, effect: 0n }),
  );
};

/** The record was there, and its line comes late: the missing line ends. */
const lineOfSale: Story = ({ b, late, ended }) => {
  const amount = b.oddAmount();
  const { record } = sell(b, { day: b.day(), amount, fee: FEE, tax: null, currency: 'USD', wallet: null });
  const { reference } = record;
  const line = lateLine(late, WALLETS.USD, record.day, 'collection', amount - FEE, { fee: FEE, reference });
  late.expect(item('a late line of a record', WALLETS.USD, { side: 'theirs', reference, effect: 0n, lines: [line] }));
  ended.push(`missing_external ${reference}`);
};

/** It comes late, and says less than the record. */
const lineThatDiffers: Story = ({ b, late, ended }) => {
  const amount = b.oddAmount();
  const { record } = sell(b, { day: b.day(), amount, fee: FEE, tax: null, currency: 'USD', wallet: null });
  const { reference } = record;
  const line = lateLine(late, WALLETS.USD, record.day, 'collection', amount - FEE - 333n, { fee: FEE, reference });
  late.expect(
    item('a late line of another amount', WALLETS.USD, { side: 'theirs', reference, effect: -333n, lines: [line] }),
  );
  ended.push(`missing_external ${reference}`);
};

const strangeLine: Story = ({ b, late }) => {
  const [amount, reference] = [b.oddAmount(), b.name('LATE-X')];
  const line = lateLine(late, WALLETS.NGN, b.day(), 'collection', amount, { reference });
  late.expect(
    item('a late line without a record', WALLETS.NGN, { side: 'theirs', reference, effect: amount, lines: [line] }),
  );
};

/** What has no other side is ours as it is theirs, also when it is late. */
const chargeAlone: Story = ({ b, late }) => {
  const amount = b.oddAmount();
  const line = lateLine(late, WALLETS.NGN, b.day(), 'fee', -amount);
  late.post(WALLETS.NGN, POSTS_ON, { fees: -amount });
  late.expect(item('a late charge', WALLETS.NGN, { leg: null, side: 'theirs', effect: 0n, lines: [line] }));
};

/** It was pending at the close, and was paid in October. */
const paidAfterAll: Story = ({ b, late, ended }) => {
  const [day, amount, reference] = [b.day(), b.oddAmount(), b.name('LATE-C')];
  const record = collectionOf(b, { day, amount, fee: FEE, currency: 'USD', status: 'success', reference });
  b.book.record({ ...record, status: 'pending', endedAt: null });
  late.record(record);
  b.book.line(WALLETS.USD, day, 'collection', amount - FEE, { fee: FEE, reference });
  late.post(WALLETS.USD, POSTS_ON, { collections: amount, fees: -FEE });
  late.expect(
    item('a payment that was pending', WALLETS.USD, { side: 'ours', kind: 'collection', reference, effect: 0n }),
  );
  ended.push(`status_mismatch ${reference}`);
};

const refundWithItsLines: Story = ({ b, late, ended }) => {
  const [amount, reference] = [b.oddAmount(), b.name('LATE-R')];
  const [posted, before] = [b.book.ours.length, b.book.matched.get('records-wallet') ?? 0];
  const given = { requested: october(5), ended: october(9), amount, status: 'success', reference } as const;
  const { reserved } = giveBack(b, given);
  // Of what was known at the close, the lines alone.
  b.book.ours.splice(posted);
  b.book.matched.set('records-wallet', before);
  const record = b.book.records.pop();
  if (record === undefined) throw new Error('there is no refund');
  late.record(record);
  late.post(WALLETS.USD, POSTS_ON, { reserves: -reserved });
  late.post(WALLETS.USD, POSTS_ON, { reserves: reserved, refunds: -amount, refund_fees: -50n });
  late.expect(item('a late refund', WALLETS.USD, { side: 'ours', kind: 'refund', reference, effect: 0n }));
  ended.push(`missing_internal ${reference}`);
};

/** It was paid in October and comes back in November: the closed figures have it as paid. */
const reversedSince: Story = ({ b, late }) => {
  const [day, amount] = [b.day(), b.oddAmount()];
  const { record, whole } = payOut(b, { day, amount, currency: 'USD' });
  const back = october(34);
  late.record({ ...record, status: 'reversed', endedAt: `${back}T09:00:00Z` });
  b.book.line(WALLETS.USD, back, 'payout_reversal', whole, { reference: record.reference });
  late.post(WALLETS.USD, back, { reversals: whole });
};

/** A settlement line of a batch that was paid in full: the batch of the closed figures was too small. */
const lineOfBatch: Story = ({ b, late, ended }) => {
  const [day, amount, group] = [october(8), b.oddAmount(), b.name('LATE-B')];
  const batch = { group, day: october(9) };
  sell(b, { day, amount, fee: FEE, tax: null, batch });
  const missing = sell(b, { day, amount: b.oddAmount(), fee: FEE, tax: null, batch, settlement: null });
  const { day: paid, sum } = b.close(group);
  const whole = sum + missing.net;
  b.bookBatch(paid, sum);
  b.book.line(WALLETS.NGN, paid, 'settlement', -whole, { group });
  b.book.line(BANK, october(12), 'settlement', whole, { group });
  const { reference } = missing.record;
  const line = lateLine(late, SETTLEMENTS, paid, 'collection', missing.net, { fee: FEE, reference, group });
  late.post(WALLETS.NGN, POSTS_ON, { settlements: -missing.net });
  late.post(BANK, POSTS_ON, { settlements: missing.net });
  const about = { leg: 'records-settlement', side: 'theirs', reference, effect: 0n, lines: [line] } as const;
  late.expect(item('a late line of a batch', SETTLEMENTS, about));
  ended.push(`missing_external ${reference}`, `split_incomplete ${group}`);
};

const STORIES: readonly Story[] = [
  ...[saleWithItsLine, saleWithoutLine, wholeSale, lineOfSale, lineThatDiffers, strangeLine, chargeAlone],
  ...[paidAfterAll, refundWithItsLines, reversedSince, lineOfBatch],
];

/** `more`: faults that are carried beside what comes late. */
export function makeLateMonth(order: {
  readonly seed: number;
  readonly clean: number;
  readonly more: readonly ((business: Business) => void)[];
}): LateMonth {
  const b = new Business({ seed: order.seed, books: true, settlements: true });
  const plant: Plant = { b, late: new Book(), ended: [] };
  clean(b, order.clean);
  for (const more of order.more) more(b);
  for (const story of STORIES) story(plant);
  b.payBatches();
  const all = planFiles(b);
  const { book } = b;
  const { late, ended } = plant;
  const lateFiles = [...Map.groupBy(late.lines, ({ account }) => account)].map(([account, lines]) =>
    lateFile(account, lines),
  );
  return {
    ...{ book, late, ended, lateFiles },
    files: all.filter(({ from }) => from < NEXT.from),
    nextFiles: all.filter(({ from }) => from >= NEXT.from).map((file) => withLate(file, late.lines)),
  };
}

/** A file of its own for what the others left out. */
function lateFile(account: AccountName, lines: readonly FileLine[]): FilePlan {
  const days = lines.map(({ day }) => day).sort();
  const [from, to] = [days[0] ?? '', days.at(-1) ?? ''];
  const closing = sumOf(lines.map(({ amount }) => amount));
  const inOrder = lines.toSorted((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)));
  return { account, dialect: DIALECTS.plain, from, to, opening: 0n, closing, lines: inOrder, fault: null };
}

/** Its next file opens with what October closed with, so it denies what came late; those of the other accounts have it. */
const DENYING = WALLETS.NGN;

function withLate(file: FilePlan, late: readonly FileLine[]): FilePlan {
  if (file.account === DENYING) return file;
  const sum = lateSum(late, file.account);
  return { ...file, opening: file.opening + sum, closing: file.closing + sum };
}

function lateSum(late: readonly FileLine[], account: AccountName): bigint {
  return sumOf(late.filter((line) => line.account === account).map(({ amount }) => amount));
}

/** What the first days of November must show: the closing balances of October, and what moved since with what came late. */
export function nextRows(
  { book, late }: LateMonth,
  account: AccountName,
  closed: { readonly ours: bigint; readonly theirs: bigint },
): ReadonlyMap<ProofRow, { readonly ours: bigint; readonly theirs: bigint }> {
  const isNext = ({ account: of, day }: { account: AccountName; day: string }) =>
    of === account && day >= NEXT.from && day <= NEXT.to;
  const sums = (side: 'ours' | 'theirs', row: ProofRow) => {
    const all = [...book[side], ...late[side]].filter((one) => isNext(one) && (row === 'closing' || one.row === row));
    const denied = side === 'theirs' && account === DENYING && (row === 'other' || row === 'closing');
    return sumOf(all.map(({ amount }) => amount)) - (denied ? lateSum(late.lines, account) : 0n);
  };
  return new Map(
    PROOF_ROWS.map((row) => {
      const opening = row === 'opening' || row === 'closing' ? closed : { ours: 0n, theirs: 0n };
      const moved =
        row === 'opening' ? { ours: 0n, theirs: 0n } : { ours: sums('ours', row), theirs: sums('theirs', row) };
      return [row, { ours: opening.ours + moved.ours, theirs: opening.theirs + moved.theirs }];
    }),
  );
}
