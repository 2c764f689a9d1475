import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NumberedEntry } from '../../../../src/domain/journal/entry.ts';
import { sumsByAccount } from '../../../../src/domain/journal/entry.ts';
import { numberEntries, unreversedEntries } from '../../../../src/domain/journal/numbering.ts';
import type { DayMovement, ExplainedItem, JournalInput } from '../../../../src/reconcile/journal/input.ts';
import { journalOf } from '../../../../src/reconcile/journal/journal.ts';
import { accountNames } from '../../../../src/reconcile/journal/names.ts';
import { NAMES } from '../../../support/journal/months.ts';

/*
 * Debits of a wallet that the service owes are claimed in one of three months and paid in a later one, which a person may name
 * before or after that month is closed; months are closed in their order, and opened again from the last one on.
 */

const WALLET = { account: 'wallet-main', currency: 'NGN' };
const MONTHS = [
  { from: '2026-10-01', to: '2026-10-31' },
  { from: '2026-11-01', to: '2026-11-30' },
  { from: '2026-12-01', to: '2026-12-31' },
];

interface Claim {
  readonly minor: bigint;
  readonly made: number;
  /** The month of the payment; null: it is never paid. */
  readonly paid: number | null;
}

type Step = 'close' | 'reopen' | { readonly name: number };

const claim: fc.Arbitrary<Claim> = fc
  .record({ minor: fc.bigInt({ min: 1n, max: 9_000_000n }), made: fc.nat(2), wait: fc.option(fc.nat(2)) })
  .map(({ minor, made, wait }) => ({ minor, made, paid: wait === null || made + wait > 2 ? null : made + wait }));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant('close' as const) },
  { weight: 1, arbitrary: fc.constant('reopen' as const) },
  { weight: 2, arbitrary: fc.record({ name: fc.nat(3) }) },
);

/** A closed month: its kept entries, and what it had of each claim. */
interface Month {
  readonly entries: readonly NumberedEntry[];
  readonly theirs: bigint;
  /** Claims that ended in it. */
  readonly ended: ReadonlySet<number>;
  /** Payments that it has as lines of no claim. */
  readonly unnamed: ReadonlySet<number>;
}

class Ledger {
  readonly claims: readonly Claim[];
  readonly named = new Set<number>();
  readonly closed: Month[] = [];
  /** By month: what all its closings kept. */
  readonly kept: (readonly NumberedEntry[])[] = [[], [], []];

  constructor(claims: readonly Claim[]) {
    this.claims = claims;
  }

  take(step: Step): void {
    if (step === 'reopen') this.closed.pop();
    else if (step !== 'close') this.name(step.name);
    else if (this.closed.length < MONTHS.length) this.close();
  }

  /** A payment can be named when its line is there. */
  private name(index: number): void {
    const one = this.claims[index];
    if (one !== undefined && one.paid !== null) this.named.add(index);
  }

  private close(): void {
    const at = this.closed.length;
    const period = MONTHS[at] as (typeof MONTHS)[number];
    const last = this.closed.at(-1);
    const ended = new Set<number>();
    const unnamed = new Set<number>();
    const days: DayMovement[] = [];
    const items: ExplainedItem[] = [];
    const day = (row: DayMovement['row'], ours: bigint, theirs: bigint) =>
      days.push({ ...WALLET, date: period.from, row, reverses: null, ours, theirs });
    for (const [index, { minor, made, paid }] of this.claims.entries()) {
      if (made > at) continue;
      if (made === at) day('payouts', 0n, -minor);
      const isNamed = this.named.has(index);
      if (paid === at) day('adjustments', minor, minor);
      if (paid === at && !isNamed) unnamed.add(index);
      const wasEnded = this.closed.some((month) => month.ended.has(index));
      if (!wasEnded && isNamed && paid !== null && paid <= at) {
        ended.add(index);
        day('adjustments', -minor, 0n);
      } else if (!wasEnded) items.push(itemOf(index, minor));
    }
    const openingTheirs = last?.theirs ?? 0n;
    const theirs = days.reduce((sum, one) => sum + one.theirs, openingTheirs);
    const openingOurs = openingTheirs + this.heldBefore();
    const input: JournalInput = {
      ...{ period, by: 'day', names: accountNames(NAMES), days, items },
      accounts: [{ ...WALLET, kind: 'wallet', balance: { openingOurs, openingTheirs, closingTheirs: theirs } }],
      paid: new Set(),
      earlier: last === undefined ? null : this.earlier(last),
    };
    const before = this.kept[at] ?? [];
    const closing = Math.max(0, ...before.map((one) => one.closing)) + 1;
    const entries = [...before, ...numberEntries(before, journalOf(input), closing)];
    this.kept[at] = entries;
    this.closed.push({ entries, theirs, ended, unnamed });
  }

  /** What the closing before lacks of ours. */
  private heldBefore(): bigint {
    const before = this.closed.length;
    return sumOf(this.claims.filter((_, index) => this.isOwed(index, before)));
  }

  isOwed(index: number, before: number): boolean {
    return (this.claims[index]?.made ?? 9) < before && !this.closed.some(({ ended }) => ended.has(index));
  }

  private earlier({ entries, theirs }: Month): JournalInput['earlier'] {
    const all = this.closed.flatMap((month) => unreversedEntries(month.entries));
    return { closings: [{ ...WALLET, theirs }], last: unreversedEntries(entries), all };
  }
}

function itemOf(index: number, minor: bigint): ExplainedItem {
  return {
    ...{
      ...WALLET,
      id: `x-${index}`,
      clearing: 'sales_clearing',
      effect: -minor,
      isEarlier: false,
      target: { role: 'claims' },
    },
    ...{ text: 'Claimed', reference: null },
  };
}

function sumOf(claims: readonly Pick<Claim, 'minor'>[]): bigint {
  return claims.reduce((sum, { minor }) => sum + minor, 0n);
}

test('after any order of claims, payments, closes and reopenings the account of claims holds what is owed, and clearing nothing', () => {
  fc.assert(
    fc.property(fc.array(claim, { maxLength: 4 }), fc.array(step, { maxLength: 14 }), (claims, steps) => {
      const ledger = new Ledger(claims);
      for (const one of steps) {
        ledger.take(one);
        const { closed } = ledger;
        const entries = closed.flatMap((month) => month.entries);
        const held = new Map(sumsByAccount(entries).map(({ account, minor }) => [account, minor]));
        const owed = claims.filter((_, index) => ledger.isOwed(index, closed.length));
        const strays = claims.filter((_, index) => {
          return closed.some(({ unnamed }) => unnamed.has(index)) && !closed.some(({ ended }) => ended.has(index));
        });
        expect(held.get('claims') ?? 0n).toBe(sumOf(owed));
        expect(held.get('clearing:sales') ?? 0n).toBe(0n);
        expect(held.get('other') ?? 0n).toBe(-sumOf(strays));
        expect(held.get('assets:wallet:wallet-main') ?? 0n).toBe(closed.at(-1)?.theirs ?? 0n);
      }
    }),
  );
});
