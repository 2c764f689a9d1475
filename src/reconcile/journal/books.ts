import { daysOf, natureOf, wordsOf } from './days.ts';
import { accountsOf, type Draft } from './draft.ts';
import { endedEffectOf } from './earlier.ts';
import type { DayMovement, StatedAccount } from './input.ts';
import { contraOf } from './movements.ts';

/**
 * Enters what the merchant sold and refunded: as the merchant's own books say where there are statements of them, else, and
 * beyond them, as our records do. Charges of the books count only where they differ from our records: the movements have them.
 */
export function enterBooks(draft: Draft): void {
  for (const ledger of accountsOf(draft, 'books')) enterLedger(draft, ledger);
  for (const currency of draft.currencies) enterRecords(draft, currency);
}

function enterLedger({ input, builder, dateOf }: Draft, ledger: StatedAccount): void {
  const { account, currency } = ledger;
  for (const day of daysOf(input, ledger)) {
    const head = { date: dateOf(day.date, currency), source: 'books' as const, account, currency };
    const isSale = natureOf(day) === 'sale';
    const minor = isSale ? day.theirs : day.theirs - day.ours;
    const text = isSale ? `${wordsOf(day)} by your books` : `${wordsOf(day)}: your books against our records`;
    builder.post(head, { role: 'sales_clearing' }, minor, { text });
    builder.post(head, { role: contraOf(day) }, -minor, { text });
  }
}

/** Sales of our records that the merchant's books do not hold; without such statements all of them. */
function enterRecords(draft: Draft, currency: string): void {
  const { builder, dateOf } = draft;
  const money = accountsOf(draft, 'money', currency).map((one) => ({ stated: one, sales: salesOf(draft, one) }));
  const held = new Map<string, bigint>();
  for (const ledger of accountsOf(draft, 'books', currency)) {
    for (const [key, { minor }] of salesOf(draft, ledger)) held.set(key, (held.get(key) ?? 0n) + minor);
  }
  const hasBooks = held.size > 0;
  const kinds = new Map<string, Pick<DayMovement, 'date' | 'row' | 'reverses'>>();
  for (const { sales } of money) for (const [key, { day }] of sales) kinds.set(key, day);
  for (const ledger of accountsOf(draft, 'books', currency)) {
    for (const [key, { day }] of salesOf(draft, ledger)) kinds.set(key, day);
  }
  for (const [key, day] of kinds) {
    let rest = held.get(key) ?? 0n;
    const text = `${wordsOf(day)} by our records${hasBooks ? ', beyond your books' : ''}`;
    for (const [at, { stated, sales }] of money.entries()) {
      const own = sales.get(key)?.minor ?? 0n;
      const taken = at === money.length - 1 ? rest : common(own, rest);
      rest -= taken;
      const date = dateOf(day.date, currency);
      const head = { date, source: 'books' as const, account: stated.account, currency };
      builder.post(head, { role: 'sales_clearing' }, own - taken, { text });
      builder.post(head, { role: contraOf(day) }, taken - own, { text });
    }
  }
}

interface Sale {
  readonly day: Pick<DayMovement, 'date' | 'row' | 'reverses'>;
  readonly minor: bigint;
}

/** Sales of an account by our records. What an account without a balance of its own carried counts once. */
function salesOf(draft: Draft, stated: StatedAccount): Map<string, Sale> {
  const { from } = draft.input.period;
  const sales = new Map<string, Sale>();
  const add = (day: Sale['day'], minor: bigint) => {
    if (minor === 0n) return;
    const key = JSON.stringify([day.date, day.row, day.reverses]);
    sales.set(key, { day, minor: (sales.get(key)?.minor ?? 0n) + minor });
  };
  for (const day of daysOf(draft.input, stated)) if (natureOf(day) === 'sale') add(day, day.ours);
  if (stated.balance === null) {
    add({ date: from, row: 'collections', reverses: null }, endedEffectOf(draft, stated));
  }
  return sales;
}

/** What two amounts of one direction have in common, nearest to zero. */
function common(one: bigint, other: bigint): bigint {
  if (one > 0n && other > 0n) return one < other ? one : other;
  if (one < 0n && other < 0n) return one > other ? one : other;
  return 0n;
}
