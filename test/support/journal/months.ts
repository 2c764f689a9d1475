import fc from 'fast-check';
import type { JournalEntry } from '../../../src/domain/journal/entry.ts';
import { JOURNAL_ACCOUNTS } from '../../../src/domain/journal/words.ts';
import { PROOF_ROWS } from '../../../src/domain/statements/lines.ts';
import type {
  DayMovement,
  ExplainedItem,
  ItemTarget,
  JournalInput,
  StatedAccount,
} from '../../../src/reconcile/journal/input.ts';
import { type AccountMap, accountNames } from '../../../src/reconcile/journal/names.ts';

/*
 * Two months of a merchant, one after the other, in which every difference between books and statements is explained: what the
 * journal must bring to zero. The months are made from what moved and from what explains the difference, so that the identity of
 * the balance proof holds by construction.
 */

export const NAMES: AccountMap = {
  ...(Object.fromEntries(JOURNAL_ACCOUNTS.map((role) => [role, role])) as Record<
    (typeof JOURNAL_ACCOUNTS)[number],
    string
  >),
  wallet: 'assets:wallet:ACCOUNT',
  bank: 'assets:bank:ACCOUNT',
  sales_clearing: 'clearing:sales',
  settlement_clearing: 'clearing:settlement',
};

export const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };
export const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' };

/** An account with what happened to it in both months. */
export interface MadeAccount {
  readonly account: string;
  readonly currency: string;
  readonly kind: StatedAccount['kind'];
  readonly opening: { readonly ours: bigint; readonly theirs: bigint };
  readonly october: MadeMonth;
  readonly november: MadeMonth;
  /** Of October's items, by their place: what becomes of each in November. */
  readonly fates: readonly ('gone' | 'stays' | 'changed')[];
}

interface MadeMonth {
  readonly days: readonly Omit<DayMovement, 'account' | 'currency' | 'date'>[];
  /** From 0: of each of `days`. */
  readonly dates: readonly number[];
  readonly items: readonly MadeItem[];
}

interface MadeItem {
  readonly effect: bigint;
  readonly isSettlement: boolean;
  readonly target: ItemTarget | null;
}

const minor = fc.bigInt({ min: -9_000_000n, max: 9_000_000n });
const day = fc.record({
  row: fc.constantFrom(...PROOF_ROWS),
  reverses: fc.constantFrom('collection' as const, 'payout' as const),
  ours: minor,
  theirs: minor,
});
const target: fc.Arbitrary<ItemTarget> = fc.oneof(
  fc.record({ role: fc.constantFrom('write_off' as const, 'claims' as const, 'other' as const) }),
  fc.record({ name: fc.constantFrom('expenses:bank charges', 'expenses:rounding') }),
);
const item: fc.Arbitrary<MadeItem> = fc.record({
  effect: minor.filter((effect) => effect !== 0n),
  isSettlement: fc.boolean(),
  target: fc.option(target),
});
const month: fc.Arbitrary<MadeMonth> = fc.record({
  days: fc.array(day, { maxLength: 8 }),
  dates: fc.array(fc.nat(27), { minLength: 8, maxLength: 8 }),
  items: fc.array(item, { maxLength: 5 }),
});

const made = (account: string, currency: string, kind: StatedAccount['kind']): fc.Arbitrary<MadeAccount> =>
  fc.record({
    account: fc.constant(account),
    currency: fc.constant(currency),
    kind: fc.constant(kind),
    opening: fc.record({ ours: minor, theirs: minor }),
    october: month,
    november: month,
    fates: fc.array(fc.constantFrom('gone' as const, 'stays' as const, 'changed' as const), {
      minLength: 6,
      maxLength: 6,
    }),
  });

/** Any mixture of accounts: the merchant's books, a wallet or settlement statements, and a bank, in two currencies. */
export const someAccounts: fc.Arbitrary<MadeAccount[]> = fc
  .tuple(
    fc.subarray(['wallet-main', 'wallet-second', 'bank-main', 'books', 'settled'] as const),
    fc.subarray(['wallet-main', 'bank-dollar', 'settled'] as const),
  )
  .chain(([naira, dollars]) =>
    fc.tuple(
      ...naira.map((name) => made(name, 'NGN', KINDS[name])),
      ...dollars.map((name) => made(name, 'USD', KINDS[name])),
    ),
  );

const KINDS = {
  'wallet-main': 'wallet',
  'wallet-second': 'wallet',
  'bank-main': 'bank',
  'bank-dollar': 'bank',
  books: 'ledger',
  settled: 'settlement',
} as const;

interface Made {
  readonly input: JournalInput;
  /** What every wallet and bank closes with by its statement. */
  readonly closings: readonly { account: string; currency: string; kind: StatedAccount['kind']; theirs: bigint }[];
}

/** October, and November after it; `october` is what the journal of October was. */
export function octoberOf(accounts: readonly MadeAccount[]): Made {
  return monthOf(
    accounts.map((one) => ({ made: one, month: one.october, left: [], opening: one.opening })),
    OCTOBER,
    null,
  );
}

export function novemberOf(accounts: readonly MadeAccount[], october: readonly JournalEntry[]): Made {
  const before = octoberOf(accounts);
  const closings = before.closings.map(({ account, currency, theirs }) => ({ account, currency, theirs }));
  const months = accounts.map((one) => {
    const items = before.input.items.filter((it) => it.account === one.account && it.currency === one.currency);
    const closing = before.closings.find(
      ({ account, currency }) => account === one.account && currency === one.currency,
    );
    const theirs = closing?.theirs ?? 0n;
    const ours = theirs - items.reduce((sum, { effect }) => sum + effect, 0n);
    const isProven = one.kind === 'wallet' || one.kind === 'bank';
    const fates = items.map((it, at) => fateOf(it, one.fates[at] ?? 'gone'));
    const left = isProven ? fates : fates.filter(({ now }) => now !== null);
    return { made: one, month: one.november, left, opening: { ours, theirs } };
  });
  return monthOf(months, NOVEMBER, { closings, last: october, all: october });
}

interface Left {
  /** As October had it. */
  readonly item: ExplainedItem;
  /** As November has it; null: it is gone. */
  readonly now: ExplainedItem | null;
}

function fateOf(was: ExplainedItem, fate: MadeAccount['fates'][number]): Left {
  if (fate === 'gone') return { item: was, now: null };
  const now: ExplainedItem = { ...was, isEarlier: true };
  return {
    item: was,
    now: fate === 'stays' ? now : { ...now, effect: was.effect + 7n, target: { role: 'write_off' } },
  };
}

interface MonthOf {
  readonly made: MadeAccount;
  readonly month: MadeMonth;
  readonly left: readonly Left[];
  readonly opening: MadeAccount['opening'];
}

function monthOf(months: readonly MonthOf[], period: typeof OCTOBER, earlier: JournalInput['earlier']): Made {
  const parts = months.map((one) => ({ ...one, ...partsOf(one, period, earlier === null) }));
  const accounts = parts.map(({ made: { account, currency, kind }, opening, moved }): StatedAccount => {
    const isProven = kind === 'wallet' || kind === 'bank';
    const balance = { openingOurs: opening.ours, openingTheirs: opening.theirs, closingTheirs: opening.theirs + moved };
    return { account, currency, kind, balance: isProven ? balance : null };
  });
  return {
    input: {
      ...{ period, by: 'day', names: accountNames(NAMES), accounts, earlier, paid: new Set() },
      days: parts.flatMap(({ days }) => days),
      items: parts.flatMap(({ items }) => items),
    },
    closings: accounts.map(({ account, currency, kind, balance }) => ({
      ...{ account, currency, kind },
      theirs: balance?.closingTheirs ?? 0n,
    })),
  };
}

/** Its days, so that the items explain every difference. */
function partsOf(
  { made: { account, currency, kind }, month, left, opening }: MonthOf,
  period: typeof OCTOBER,
  isFirst: boolean,
) {
  const hasSettlements = kind === 'wallet' || kind === 'bank';
  const isProven = hasSettlements;
  const fresh = month.items.map(
    ({ isSettlement, ...one }, at): ExplainedItem => ({
      ...{ ...one, account, currency, id: `x-${account}-${currency}-${period.from}-${at}` },
      isEarlier: false,
      clearing: isSettlement && hasSettlements ? 'settlement_clearing' : 'sales_clearing',
      ...{ text: `difference ${at}`, reference: at % 2 === 0 ? `PAY-${at}` : null },
    }),
  );
  const items = [...left.flatMap(({ now }) => (now === null ? [] : [now])), ...fresh];
  const dated = month.days.map(({ reverses, ...one }, at): DayMovement => {
    const date = `${period.from.slice(0, 8)}${String((month.dates[at] ?? 0) + 1).padStart(2, '0')}`;
    return { ...one, date, account, currency, reverses: one.row === 'reversals' ? reverses : null };
  });
  const days = dated.filter(({ row }) => hasSettlements || (row !== 'settlements' && row !== 'top_ups'));
  const before = isFirst && isProven ? opening.theirs - opening.ours : 0n;
  for (const clearing of ['sales_clearing', 'settlement_clearing'] as const) {
    const sum = (all: readonly (ExplainedItem | null)[]) =>
      all.reduce((total, one) => total + (one?.clearing === clearing ? one.effect : 0n), 0n);
    const isOwn = ({ row }: DayMovement) =>
      (row === 'settlements' || row === 'top_ups') === (clearing === 'settlement_clearing');
    const differs = days.filter(isOwn).reduce((total, { ours, theirs }) => total + theirs - ours, 0n);
    // What is open from before in an account without a balance is in no movement.
    const changed = isProven ? sum(items) - sum(left.map(({ item: was }) => was)) : sum(fresh);
    const expected = changed - (clearing === 'sales_clearing' ? before : 0n);
    const row = clearing === 'sales_clearing' ? 'collections' : 'settlements';
    const rest = { ours: 0n, theirs: expected - differs };
    if (rest.theirs !== 0n) days.push({ ...rest, row, reverses: null, date: period.to, account, currency });
  }
  return { days, items, moved: days.reduce((total, { theirs }) => total + theirs, 0n) };
}
