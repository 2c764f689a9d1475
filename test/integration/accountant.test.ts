import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RecordKind } from '../../src/domain/records/lifecycle.ts';
import { LINE_TYPES } from '../../src/domain/statements/lines.ts';
import { packageFile } from '../../src/package-root.ts';
import { datedProfile } from '../support/month/dated-profile.ts';
import { minorOf, moneyText } from '../support/month/money.ts';
import { told } from '../support/month/told.ts';
import type { Told } from '../support/shop/records.ts';
import { Shop } from '../support/shop/shop.ts';

/*
 * An accountant's months, computed by hand: each situation goes over a close or two. The wallet begins October with 1000.00, and each file states
 * what it opens and closes with.
 *
 *     know KIND REFERENCE DAY AMOUNT      a record that succeeded; REFERENCE/SESSION of a payout
 *     file [DAYS] [ACCOUNT] [from OPENING] [unread AMOUNT]
 *                                         missing: the days of the month, `wallet`, what the file before closed with, 0.00
 *     DAY TYPE REFERENCE AMOUNT           a line of the file above it; REFERENCE/SESSION, or - where it names nothing
 *     break, timing, carried              all that the month lists, each with its effect
 *     closes OURS THEIRS                  of each account; unexplained is always 0.00
 *
 * A month is closed before the next one is reconciled, unless it `stays open`; `again`: the closed month is opened first.
 */
const SITUATIONS = `
a sale that the file of its month lacks, a corrected file after one close, and another one after the second
  know collection A 10-12 100.00 fee 2.00
  know collection B 10-20 50.00 fee 1.00
  October
    file
      10-12 collection A 98.00 fee 2.00
    break missing_external B -49.00
    closes 1147.00 1098.00
  November
    know collection C 11-05 30.00 fee 0.60
    file 10-01..10-31 from 1000.00
      10-12 collection A 98.00 fee 2.00
      10-20 collection B 48.50 fee 1.50
    file
      11-05 collection C 29.40 fee 0.60
    break late_arrival B -0.50
    closes 1176.40 1175.90
  December: the close of B's month ended what was late, and what is wrong with it stays; the file of November was exported before D
    file 10-01..10-31 from 1000.00
      10-12 collection A 98.00 fee 2.00
      10-20 collection B 48.50 fee 1.50
      10-25 collection D 10.00
    file from 1185.90
    break late_arrival D 10.00
    break statement_gap/contradicting null 0.00
    carried fee_mismatch B -0.50
    closes 1176.40 1185.90

a sale that is charged back in parts, over a close, and then once too often
  know collection TX 10-05 1000.00
  October
    file
      10-05 collection TX 1000.00
      10-20 chargeback CB-1 -500.00 of TX
    closes 1500.00 1500.00
  November
    file
      11-02 chargeback CB-2 -500.00 of TX
      11-20 chargeback CB-3 -200.00 of TX
      11-25 chargeback_reversal CB-3 200.00 of TX
    closes 1000.00 1000.00
  December
    file
      12-02 chargeback CB-4 -100.00 of TX
    break amount_mismatch/over_charged_back TX 0.00
    closes 900.00 900.00

a refund that was paid, came back after the close, and was paid again
  know refund R 10-10 100.00 fee 1.00
  October
    file
      10-10 reserve R -101.00
      10-10 release R 101.00
      10-10 refund R -101.00 fee 1.00
    closes 899.00 899.00
  11-01..11-10
    file
      11-03 refund_reversal R 101.00
    break status_mismatch/internal_vs_statement R 101.00
    closes 899.00 1000.00
  11-11..11-30
    file
      11-15 refund R -101.00 fee 1.00
    closes 899.00 899.00

a line that names two payouts: the one of its reference has it, the other one has none
  know payout P-1/S-1 10-05 50.00
  know payout P-2/S-2 10-05 70.00
  October
    file
      10-05 payout P-1/S-2 -70.00
    break amount_mismatch P-1 -20.00
    break missing_external P-2 70.00
    closes 880.00 930.00
  November: the line of P-2 comes, and one gives back what P-1 took too much
    file
      11-02 payout P-2/S-2 -70.00
      11-03 payout_reversal P-1/S-1 70.00
      11-03 payout P-1/S-1 -50.00
    closes 880.00 880.00

a sale in dollars that the naira wallet shows, and gives back after the close
  know collection U 10-05 10.00 in USD
  October
    file
      10-05 collection U 15000.00
      10-06 fee - -1.00
    file dollars
      10-06 fee - -1.00
    break currency_mismatch U 15000.00
    break currency_mismatch U -10.00
    closes 19.00 9.00
    closes 999.00 15999.00
  November
    file
      11-05 collection_reversal U -15000.00
    file dollars
      11-05 collection U 10.00
    closes 19.00 19.00
    closes 999.00 999.00

a sale that its wallet gives back, and that stands in the wallet of another currency
  know collection V 10-05 100.00
  October
    file
      10-05 collection V 100.00
      10-06 collection V -100.00
    file dollars
      10-07 collection V 98.00
    break status_mismatch/internal_vs_statement V -100.00
    break currency_mismatch V 98.00
    closes 10.00 108.00
    closes 1100.00 1000.00

two wallets of one currency: the line of a sale comes in the other one, after the close, and what our books had in the one they have there
  know collection A 10-30 100.00
  know collection B 10-05 20.00
  October
    file
      10-06 fee - -1.00
    file wallet-2
      10-06 fee - -1.00
    break missing_external B -20.00
    timing A -100.00
    closes 1119.00 999.00
    closes 9.00 9.00
  November
    file
    file wallet-2
      11-02 collection A 100.00
      11-03 collection B 20.00
    closes 999.00 999.00
    closes 129.00 129.00
  December

a suggestion that is open at the close, and the line that names the sale after it: it was paid twice
  know collection A 10-20 70.00
  October
    file
      10-20 collection /S-1 70.00
    closes 1070.00 1070.00
  November
    file
      11-02 collection A 70.00
    break missing_internal S-1 70.00
    closes 1070.00 1140.00

two payouts of one session and one line, tied at the close, and the line of one of them in the next month
  know payout P-1/S-9 10-05 70.00
  know payout P-2/S-9 10-05 70.00
  October
    file
      10-05 payout /S-9 -70.00
    break ambiguous S-9 70.00
    closes 860.00 930.00
  November
    file
      11-02 payout P-2/S-9 -70.00
    closes 860.00 860.00
  December
    file
    closes 860.00 860.00

a payout that becomes known after the close of its line ends it, and one of another amount leaves the rest
  know collection A 10-03 10.00
  October
    file
      10-03 collection A 10.00
      10-20 payout /S-1 -70.00
      10-21 payout /S-2 -30.00
    break missing_internal S-1 -70.00
    break missing_internal S-2 -30.00
    closes 1010.00 910.00
  November
    know payout P-1/S-1 10-20 70.00
    know payout P-2/S-2 10-21 25.00
    file
    break late_arrival P-1 0.00
    break late_arrival P-2 -5.00
    closes 915.00 910.00
  December
    file
    carried amount_mismatch P-2 -5.00
    closes 915.00 910.00

an unreadable row that two overlapping files have, and a whole file that brings its line after the close
  know collection A 10-03 10.00
  know collection B 10-15 50.00
  know collection C 10-25 20.00
  October
    file 10-01..10-20 unread 50.00
      10-03 collection A 10.00
      10-15 collection B 5O.00
    file 10-14..10-31 from 1010.00 unread 50.00
      10-15 collection B 5O.00
      10-25 collection C 20.00
    break missing_external B -50.00
    break unparsed null 50.00
    closes 1080.00 1080.00
  November
    file 10-01..10-31 from 1000.00
      10-03 collection A 10.00
      10-15 collection B 50.00
      10-25 collection C 20.00
    file
    break late_arrival B 0.00
    closes 1080.00 1080.00
  December
    file
    closes 1080.00 1080.00

fees that are charged in the month after (invoiced: previous_month), over a close, with a sale that becomes known late
  know collection A 10-12 1000.00 fee 20.00
  know collection B 10-20 500.00 fee 10.00
  October
    file
      10-12 collection A 1000.00
      10-20 collection B 500.00
    timing fees of 2026-10 30.00
    closes 2470.00 2500.00
  November
    know collection C 10-25 200.00 fee 4.00
    file 10-01..10-31 from 1000.00
      10-12 collection A 1000.00
      10-20 collection B 500.00
      10-25 collection C 200.00
    file
      11-03 fee - -34.50
    break fee_mismatch fees of 2026-10 -0.50
    break late_arrival C 0.00
    closes 2666.00 2665.50
  December
    file
    carried fee_mismatch fees of 2026-10 -0.50
    closes 2666.00 2665.50

a file that is cut at midnight in UTC: a sale of half past midnight in Lagos stands in it a month earlier
  know collection A 10-31 100.00 at 23:30
  October
    file
      10-31 collection A 99.00
    timing A 99.00
    closes 1000.00 1099.00
  November
    file
    break amount_mismatch A -1.00
    closes 1100.00 1099.00
  December
    file
    carried amount_mismatch A -1.00
    closes 1100.00 1099.00

a month that is opened again takes what came late as its own, and the next one begins with that
  know collection A 10-12 100.00 fee 2.00
  know collection B 10-30 50.00 fee 1.00
  October
    file
      10-12 collection A 98.00 fee 2.00
    timing B -49.00
    closes 1147.00 1098.00
  November stays open
    file 10-01..10-31 from 1000.00
      10-12 collection A 98.00 fee 2.00
      10-30 collection B 48.00 fee 2.00
      10-31 collection X 7.00
    file
    break late_arrival B -1.00
    break late_arrival X 7.00
    closes 1147.00 1153.00
  October again
    break fee_mismatch B -1.00
    break missing_internal X 7.00
    closes 1147.00 1153.00
  November
    carried fee_mismatch B -1.00
    carried missing_internal X 7.00
    closes 1147.00 1153.00
`;

const ACCOUNTS: Readonly<Record<string, { readonly opening: string; readonly currency: string }>> = {
  wallet: { opening: '1000.00', currency: 'NGN' },
  'wallet-2': { opening: '10.00', currency: 'NGN' },
  dollars: { opening: '10.00', currency: 'USD' },
};
const MONTHS: Readonly<Record<string, string>> = {
  October: '10-01..10-31',
  November: '11-01..11-30',
  December: '12-01..12-31',
};
const FIVE_DAYS_MS = 5 * 86_400_000;

const situations = SITUATIONS.trim()
  .split('\n\n')
  .map((text) => {
    const [name = '', ...lines] = text.split('\n');
    const [known = [], ...months] = partsOf(lines, (line) => /^ {2}(October|November|December|\d)/.test(line));
    return { name, known: known.map((line) => line.trim()), months };
  });

test.each(situations)('$name', async ({ name, known, months }) => {
  const shop = await Shop.of(known.map(recordOf));
  for (const [account, { currency }] of Object.entries(ACCOUNTS))
    shop.file(`${account}.yaml`, profileOf(account, currency));
  const rules = name.includes('invoiced') ? { rules: 'rules.yaml' } : {};
  shop.file('rules.yaml', RULES_OF_INVOICES);
  const balances = new Map(Object.entries(ACCOUNTS).map(([account, { opening }]) => [account, opening]));
  for (const [number, [head = '', ...lines]] of months.entries()) {
    const [, named = '', how] = /^ {2}(\S+?)(?::.*| (again|stays open))?$/.exec(head) ?? [];
    const days = daysOf(MONTHS[named] ?? named);
    const period = named in MONTHS ? days.from.slice(0, 7) : `${days.from}..${days.to}`;
    const own = lines.map((line) => line.trim());
    await shop.tell(own.filter((line) => line.startsWith('know ')).map(recordOf));
    const files = partsOf(own, (line) => line.startsWith('file')).slice(1);
    for (const file of files) await take(shop, file, days, balances);
    if (how === 'again') await shop.reopen(period);
    shop.clock.ms = Math.max(shop.clock.ms, Date.parse(`${days.to}T09:00:00Z`) + FIVE_DAYS_MS);
    const wanted = own.filter((line) => /^(break|timing|carried|closes) /.test(line));
    expect([named, ...said(await shop.reconcile(days, rules))]).toEqual([named, ...wanted]);
    if (number < months.length - 1 && how !== 'stays open') await close(shop, period);
  }
});

/** Parts that begin at certain lines; the first one is what comes before them. */
function partsOf(lines: readonly string[], begins: (line: string) => boolean): string[][] {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (begins(line)) parts.push([]);
    parts.at(-1)?.push(line);
  }
  return parts;
}

function daysOf(text: string) {
  const [from, to] = text.split('..');
  return { from: `2026-${from}`, to: `2026-${to}` };
}

/** `know payout P-1/S-1 10-05 50.00 fee 1.00` */
function recordOf(line: string): Told {
  const [, kind, name = '', day = '', amount, ...more] = line.split(' ') as [string, RecordKind, ...string[]];
  const said = saidIn(more);
  const [reference = '', sessionid] = name.split('/');
  const time = `2026-${day}T${said.at ?? '10:00'}:00Z`;
  const fee = said.fee ?? '0.00';
  const own = {
    collection: { requested_amount: amount, fees: fee, created_at: time, paid_at: time, currency: said.in ?? 'NGN' },
    payout: { fee, stamp_duty: '0.00', created_at: time, sessionid, bank_code: '1', account_number: reference },
    refund: {
      ...{ refund_reference: reference, fee, transaction_reference: `TX-${reference}` },
      ...{ requested_at: time, completed_at: time },
    },
  }[kind];
  return told(kind, reference, { amount, ...own, updated_at: time });
}

/** `fee 2.00 of TX`: by their words. */
function saidIn(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(words.flatMap((word, index) => (index % 2 === 0 ? [[word, words[index + 1] ?? '']] : [])));
}

const RULES_OF_INVOICES = readFileSync(packageFile('templates/rules/standard.yaml'), 'utf8').replace(
  '  - name: records-wallet\n',
  (leg) => `${leg}    invoiced: previous_month\n`,
);

function profileOf(account: string, currency: string): string {
  return datedProfile('wallet', Object.fromEntries(LINE_TYPES.map((type) => [type, type])), {
    ...{ name: account, account, currency, fee: 'Fee', file: { skipRows: 2 } },
    columns: ['reference', 'sessionId', 'type', 'transactionReference'],
    balance: { opening: { row: 2, column: 2 }, closing: { row: 2, column: 4 } },
  });
}

type Days = ReturnType<typeof daysOf>;

/** Imports a file. `balances`: what the last file of each account closed with. */
async function take(
  shop: Shop,
  [head = '', ...lines]: readonly string[],
  month: Days,
  balances: Map<string, string>,
): Promise<void> {
  const words = head.split(' ').slice(1);
  const range = words.find((word) => word.includes('..'));
  const account = words.find((word) => word in ACCOUNTS) ?? 'wallet';
  const said = saidIn(words.filter((word) => word !== range && word !== account));
  const { from, to } = range === undefined ? month : daysOf(range);
  const rows = lines.filter((line) => /^\d\d-\d\d /.test(line)).map((line) => line.split(' '));
  const opening = said.from ?? balances.get(account) ?? '0.00';
  const amounts = rows.map(([, , , amount = '']) => amount).filter((amount) => /^-?\d+\.\d\d$/.test(amount));
  const closing = moneyText([opening, said.unread ?? '0.00', ...amounts].reduce((sum, one) => sum + minorOf(one), 0n));
  balances.set(account, closing);
  const text = rows.map(([day, type, name = '', amount, ...more]) => {
    const [reference, session = ''] = name === '-' ? [''] : name.split('/');
    const { fee = '', of = '' } = saidIn(more);
    return [`2026-${day}`, reference, session, type, amount, fee, of].join(',');
  });
  const table = [`From,${from},To,${to}`, `Opening,${opening},Closing,${closing}`, HEADER, ...text, ''];
  await shop.take(account, `${account}-${from}-${closing}-${rows.length}.csv`, table.join('\n'));
}

const HEADER = 'Date,Reference,Session,Type,Amount,Fee,OrigTx';

interface Item {
  readonly id: string;
  readonly status: string;
  readonly code: string;
  readonly sub: string | null;
  readonly reference: string | null;
  readonly effect: string;
}

/** Closes a period, whose open exceptions are carried. */
async function close(shop: Shop, period: string): Promise<void> {
  const open = (await shop.listed()).filter(({ status }: Item) => !['resolved', 'closed'].includes(status));
  const ids = open.map(({ id }: Item) => id);
  await shop.resolve(ids, { resolution: 'carry', reasonCode: 'next_period' });
  await shop.close(period);
}

interface Report extends Readonly<Record<'breaks' | 'timing' | 'carried' | 'unexplained', readonly Item[]>> {
  readonly proof: readonly {
    readonly unexplained: string;
    readonly rows: readonly { readonly ours: string; readonly theirs: string }[];
  }[];
}

/** What a month says, in the words of the table. */
function said({ breaks, timing, carried, unexplained, proof }: Report): string[] {
  const named = ({ code, sub }: Item) => (sub === null ? code : `${code}/${sub}`);
  const wrong = [...unexplained.map(({ effect }) => effect), ...proof.map((one) => one.unexplained)];
  return [
    ...breaks.map((one) => `break ${named(one)} ${one.reference} ${one.effect}`),
    ...timing.map(({ reference, effect }) => `timing ${reference} ${effect}`),
    ...carried.map((one) => `carried ${named(one)} ${one.reference} ${one.effect}`),
    ...proof.map(({ rows }) => `closes ${rows.at(-1)?.ours} ${rows.at(-1)?.theirs}`),
    ...wrong.filter((minor) => minor !== '0.00').map((minor) => `unexplained ${minor}`),
  ];
}
