import { beforeAll, expect, test } from 'vitest';
import type { LineType } from '../../src/domain/statements/lines.ts';
import { datedProfile } from '../support/month/dated-profile.ts';
import { at, sale, told } from '../support/month/told.ts';
import { settle } from '../support/months/live.ts';
import { type Patch, patchedProgram } from '../support/patched-program.ts';
import { someOf } from '../support/random-runs.ts';
import type { Told } from '../support/shop/records.ts';
import { Shop } from '../support/shop/shop.ts';

/*
 * A judge that judges wrongly cannot hide it: what its verdicts leave of the money is unexplained, and ends the run with 3. Each of these
 * mistakes is put into a copy of the program, which then reconciles a month of 5 payments that agree: a few of each kind, and all of them in
 * `npm run test:long`.
 */

const TYPES: Readonly<Record<string, LineType>> = {
  ...{ Sale: 'collection', Payout: 'payout', Refund: 'refund', Reserve: 'reserve', Release: 'release' },
  ...{ Fee: 'fee', Tax: 'tax', Duty: 'duty', Adjustment: 'adjustment' },
};
const PROFILE = datedProfile('wallet', TYPES);
const BALANCED_PROFILE = datedProfile('wallet', TYPES, {
  balance: { opening: { row: 1, column: 6 }, closing: { row: 1, column: 8 } },
});
const CLOSING_PROFILE = datedProfile('wallet', TYPES, { balance: { closing: { row: 1, column: 6 } } });
const LINES = [
  '2026-10-05,SPLIT,Sale,100.00',
  '2026-10-05,SPLIT,Fee,-2.00',
  '2026-10-05,SPLIT,Tax,-0.15',
  '2026-10-05,NET,Sale,97.00',
  '2026-10-06,PAID,Payout,-50.00',
  '2026-10-06,PAID,Fee,-1.00',
  '2026-10-06,PAID,Duty,-0.50',
  '2026-10-07,BACK,Reserve,-10.00',
  '2026-10-08,BACK,Release,10.00',
  '2026-10-08,BACK,Refund,-10.00',
  '2026-10-31,LAST,Sale,40.00',
  '2026-10-31,LAST,Fee,-1.00',
];
const AMBIGUOUS = ['ambiguous -29.50', 'ambiguous 29.50', 'ambiguous 40.00'];
const UNREAD = ['unparsed -5.00'];
const COPY = '2026-10-09,SPLIT,Sale,100.00';

/** The same money in an account whose files state its balances, with a line that has no other side. */
const BALANCED = [...LINES, '2026-10-09,,Adjustment,-30.00'];

/** The same with a row that cannot be read, which moved -5.00. */
const TORN = [...BALANCED, 'no day,,Adjustment,-5.00'];

/** What no pass brings together: a suggestion, lines of one record that differ, and two sales and two lines alike. */
const OPEN = [
  '2026-10-05,,Sale,98.00',
  '2026-10-05,DIFFERS,Sale,45.00',
  '2026-10-05,DIFFERS,Sale,44.00',
  '2026-10-05,,Sale,29.50',
  '2026-10-05,,Sale,29.50',
];

let agreeing: Shop;
let copied: Shop;
let balanced: Shop;
let halfBalanced: Shop;
let torn: Shop;
let open: Shop;
let closed: Shop;

beforeAll(async () => {
  const on = (day: number) => ({ created_at: at(day), updated_at: at(day) });
  const last = { ...on(31), paid_at: at(31) };
  const records = [
    sale('SPLIT', '100.00', '2.15'),
    sale('NET', '100.00', '3.00'),
    told('payout', 'PAID', { amount: '50.00', fee: '1.00', stamp_duty: '0.50', ...on(6) }),
    told('refund', 'BACK', {
      ...{ refund_reference: 'BACK', transaction_reference: 'SPLIT', amount: '10.00', fee: '0.00' },
      ...{ total_reserved: '10.00', requested_at: at(7), completed_at: at(8), updated_at: at(8) },
    }),
    told('collection', 'LAST', { amount: '40.00', requested_amount: '40.00', fees: '1.00', ...last }),
  ];
  const unmatched = [
    sale('ALIKE', '100.00', '2.00'),
    sale('DIFFERS', '50.00', '1.00'),
    sale('TIE-1', '30.00', '0.50'),
    sale('TIE-2', '30.00', '0.50'),
  ];
  agreeing = await shopWith(records, LINES);
  copied = await shopWith(records, [...LINES, COPY]);
  open = await shopWith(unmatched, OPEN);
  closed = await shopWith([sale('MISSING', '50.00', '1.00')], ['2026-10-05,,Adjustment,1.00']);
  await closed.reconcile({ from: '2026-10-01', to: '2026-10-31' });
  await settle(closed);
  await closed.close('2026-10');
  await take(closed, '2026-11-01,To,2026-11-30', ['2026-11-05,,Adjustment,1.00']);
  balanced = await shopWith(records, BALANCED, { head: ',Opening,10.00,Closing,152.35', profile: BALANCED_PROFILE });
  torn = await shopWith(records, TORN, { head: ',Opening,10.00,Closing,147.35', profile: BALANCED_PROFILE });
  halfBalanced = await shopWith(records, BALANCED, { head: ',Closing,152.35', profile: CLOSING_PROFILE });
});

async function shopWith(
  records: readonly Told[],
  lines: readonly string[],
  { head = '', profile = PROFILE }: { readonly head?: string; readonly profile?: string } = {},
): Promise<Shop> {
  const shop = await Shop.of(records);
  shop.file('wallet.yaml', profile);
  await take(shop, `2026-10-01,To,2026-10-31${head}`, lines);
  return shop;
}

async function take(shop: Shop, head: string, lines: readonly string[]): Promise<void> {
  const rows = [`From,${head}`, 'Date,Reference,Type,Amount', ...lines];
  await shop.take('wallet', 'wallet.csv', `${rows.join('\n')}\n`);
}

const OCTOBER = ['--from', '2026-10-01', '--to', '2026-10-31'];
const NOVEMBER = ['--from', '2026-11-01', '--to', '2026-11-30'];

interface Seen {
  readonly code: number | null;
  readonly unexplained: readonly string[];
  readonly groups: readonly string[];
  readonly breaks: readonly string[];
}

async function reconciled(shop: Shop, ...patches: readonly Patch[]): Promise<Seen> {
  const words = ['reconcile', ...(shop === closed ? NOVEMBER : OCTOBER), '--dry-run', '--json'];
  const run = patches.length === 0 ? shop.run(...words) : shop.runBy(patchedProgram(...patches), ...words);
  const { code, stdout, stderr } = await run;
  if (stdout === '') throw new Error(stderr);
  const { proof, unexplained, breaks } = JSON.parse(stdout);
  return {
    code,
    unexplained: proof.map((one: { unexplained: string }) => one.unexplained),
    groups: unexplained.map((one: { reference: string; effect: string }) => `${one.reference} ${one.effect}`),
    breaks: breaks.map((one: { code: string; effect: string }) => `${one.code} ${one.effect}`),
  };
}

test('without a mistake nothing is unexplained', async () => {
  expect(await reconciled(agreeing)).toEqual({ code: 0, unexplained: ['0.00'], groups: [], breaks: [] });
  expect(await reconciled(balanced)).toEqual({ code: 0, unexplained: ['0.00'], groups: [], breaks: [] });
  expect(await reconciled(halfBalanced)).toEqual({ code: 0, unexplained: ['0.00'], groups: [], breaks: [] });
  expect(await reconciled(open)).toEqual({ code: 3, unexplained: ['0.00'], groups: [], breaks: AMBIGUOUS });
  expect(await reconciled(closed)).toEqual({ code: 0, unexplained: ['0.00'], groups: [], breaks: [] });
  expect(await reconciled(torn)).toEqual({ code: 3, unexplained: ['0.00'], groups: [], breaks: UNREAD });
  const breaks = ['duplicate_external 100.00'];
  expect(await reconciled(copied)).toEqual({ code: 3, unexplained: ['0.00'], groups: [], breaks });
});

const POSTINGS = 'src/domain/matching/postings.ts';

const FEES_ADD = {
  file: POSTINGS,
  text: "{ row: feeRow(kind), day, minor: -fee },\n    { row: 'tax'",
  by: "{ row: feeRow(kind), day, minor: fee },\n    { row: 'tax'",
};

test.each(
  someOf<[string, Patch, Seen]>(2, [
    [
      'a sign: fees add to the balance',
      FEES_ADD,
      {
        ...{ code: 3, unexplained: ['-8.00'], breaks: [] },
        groups: ['LAST -2.00', 'PAID -2.00', 'SPLIT -4.00'],
      },
    ],
    [
      'a charge left out',
      { file: POSTINGS, text: "    { row: 'duty', day, minor: -duty },\n", by: '' },
      { code: 3, unexplained: ['-0.50'], groups: ['PAID -0.50'], breaks: [] },
    ],
    [
      'a day off by one',
      {
        file: 'src/domain/matching/judge.ts',
        text: 'filter(({ day: posted }) => posted <= terms.until);',
        by: 'filter(({ day: posted }) => posted < terms.until);',
      },
      { code: 3, unexplained: ['39.00'], groups: ['LAST 39.00'], breaks: [] },
    ],
    [
      'a refund whose hold is not released',
      {
        file: 'src/domain/matching/refund.ts',
        text: 'const holds = hold === null ? [] : [...holdOf(one, hold), posted(day, hold)];',
        by: 'const holds = hold === null ? [] : holdOf(one, hold);',
      },
      { code: 3, unexplained: ['10.00'], groups: ['BACK 10.00'], breaks: [] },
    ],
    [
      'a charge left out of groups that agree, which are added up and not judged',
      {
        file: 'src/reconcile/judge/book-sums.ts',
        text: 'const main = amount + fee + tax + duty;',
        by: 'const main = amount + tax + duty;',
      },
      { code: 3, unexplained: ['3.00'], groups: [], breaks: [] },
    ],
  ]),
)('%s', async (_, patch, wanted) => {
  expect(await reconciled(agreeing, patch)).toEqual(wanted);
});

test('a copy counted twice', async () => {
  const patch = {
    file: 'src/domain/matching/judge.ts',
    text: '...sorted.copies.map(duplicateOf)]',
    by: '...[...sorted.copies, ...sorted.copies].map(duplicateOf)]',
  };
  expect(await reconciled(copied, patch)).toMatchObject({
    ...{ code: 3, unexplained: ['-100.00'], groups: ['SPLIT -100.00'] },
  });
});

/* What no pass brought together has the effects of its lines, and of what would be said of its rows without them; a suggestion has none. */
test.each(
  someOf<[string, Patch, string, readonly string[]]>(1, [
    ['fees add to the balance', FEES_ADD, '-8.00', ['ALIKE -4.00', 'DIFFERS -2.00', 'TIE-1 -2.00']],
    [
      'the lines of a suggestion, and of a tie, counted twice in what moved',
      {
        file: 'src/reconcile/judge/book-open.ts',
        text: 'for (const line of lines) {',
        by: 'for (const line of [...lines, ...lines]) {',
      },
      '0.00',
      ['ALIKE 98.00', 'TIE-1 59.00'],
    ],
    [
      'a suggestion with the effect of its line',
      {
        file: 'src/reconcile/judge/suggest.ts',
        text: 'effect: 0n };',
        by: 'effect: line.amount };',
      },
      '-98.00',
      ['ALIKE -98.00'],
    ],
    [
      'a line of a tie counted twice in its effects',
      {
        file: 'src/reconcile/judge/ties.ts',
        text: 'line === first ? line.amount + booked',
        by: 'line === first ? line.amount + line.amount + booked',
      },
      '-29.50',
      ['TIE-1 -29.50'],
    ],
    [
      'the lines of a group counted twice in the effect of all of them',
      {
        file: 'src/domain/matching/judge.ts',
        text: 'const effect = lines.reduce(',
        by: 'const effect = [...lines, ...lines].reduce(',
      },
      '-89.00',
      ['DIFFERS -89.00'],
    ],
  ]),
)('unmatched: %s', async (_, patch, unexplained, groups) => {
  expect(await reconciled(open, patch)).toMatchObject({ code: 3, unexplained: [unexplained], groups });
});

test('what stands as a close froze it is not judged, and its items are held against what it moved', async () => {
  // By this judge the group is another one than the close had, although nothing of it is new.
  expect(await reconciled(closed, FEES_ADD)).toEqual({ code: 0, unexplained: ['0.00'], groups: [], breaks: [] });
  const twice = {
    file: 'src/reconcile/judge/enter.ts',
    text: 'const items = group.verdicts.map(',
    by: 'const items = [...group.verdicts, ...group.verdicts].map(',
  };
  expect(await reconciled(closed, FEES_ADD, twice)).toMatchObject({
    ...{ code: 3, unexplained: ['49.00'], groups: ['MISSING 49.00'] },
  });
});

/* What is booked by one expression on both sides, or on none, no group can show: the balance that the file states does. */
test.each(
  someOf<[string, Patch, string]>(1, [
    [
      'the sign of a line without another side, on both sides',
      {
        file: 'src/reconcile/judge/book-sums.ts',
        text: "else book.addAll(side, postings, '');",
        by: "else book.addAll(side, postings, '', type === 'adjustment' ? -1n : 1n);",
      },
      '-60.00',
    ],
    [
      'a line that is lost while it is loaded',
      {
        file: 'src/store/sqlite/read/reconciliation/fill-sql.ts',
        text: '\n      AND (SELECT s.imported_at',
        by: "\n      AND l.type <> 'adjustment' AND (SELECT s.imported_at",
      },
      '-30.00',
    ],
    [
      'lines of the last day that are booked nowhere',
      {
        file: 'src/reconcile/judge/book-sums.ts',
        text: 'sum.date <= until) bookLines',
        by: 'sum.date < until) bookLines',
      },
      '39.00',
    ],
  ]),
)('against the closing balance of the file: %s', async (_, patch, unexplained) => {
  const wanted = { code: 3, unexplained: [unexplained], groups: [], breaks: [] };
  expect(await reconciled(balanced, patch)).toEqual(wanted);
  expect(await reconciled(halfBalanced, patch)).toEqual(wanted);
});

/* What the books are made of beside groups, and what a group moves in them: no item has it, so the proof alone can show it. */
test.each(
  someOf<[string, () => Shop, Patch, string, readonly string[]]>(2, [
    [
      'what groups moved by us entered twice',
      () => agreeing,
      {
        file: 'src/reconcile/judge/enter.ts',
        text: "of.addAll('ours', net.postings, '');",
        by: "of.addAll('ours', [...net.postings, ...net.postings], '');",
      },
      '-75.35',
      [],
    ],
    [
      'lines that are divided otherwise than by their types counted beside their sums',
      () => agreeing,
      { file: 'src/reconcile/judge/both-dates.ts', text: "book.addAll('theirs', ownRaw ?? [], '', -1n);", by: '' },
      '75.35',
      [],
    ],
    [
      'rows of a suggestion and of a tie entered nowhere',
      () => open,
      {
        file: 'src/reconcile/judge/book-open.ts',
        text: 'now: { ours, theirs: [] }',
        by: 'now: { ours: [], theirs: [] }',
      },
      '157.00',
      ['ALIKE 98.00', 'TIE-1 59.00'],
    ],
    [
      'the sign of what a close froze',
      () => closed,
      { file: 'src/reconcile/judge/enter.ts', text: '[-1n, before], [1n, own]', by: '[-1n, before], [-1n, own]' },
      '-98.00',
      [],
    ],
    [
      'an unreadable row that moves no balance',
      () => torn,
      {
        file: 'src/reconcile/balance/book-balances.ts',
        text: "book.add('theirs', { row: 'other', day, minor });",
        by: 'void [day, minor];',
      },
      '-5.00',
      [],
    ],
    [
      'breaks of files that explain nothing',
      () => torn,
      {
        file: 'src/reconcile/balance/book-balances.ts',
        text: 'for (const item of [...breaks, ...carried]) book.effects',
        by: 'for (const item of carried) book.effects',
      },
      '-5.00',
      [],
    ],
  ]),
)('in the books: %s', async (_, shop, patch, unexplained, groups) => {
  expect(await reconciled(shop(), patch)).toMatchObject({ code: 3, unexplained: [unexplained], groups });
});
