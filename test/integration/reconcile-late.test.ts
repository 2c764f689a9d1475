import { beforeAll, describe, expect, test } from 'vitest';
import { amountOfMinor, formatAmount } from '../../src/domain/money/amount.ts';
import { RECORD_KINDS } from '../../src/domain/records/lifecycle.ts';
import { openGroups } from '../../src/reconcile/keep/keep-run.ts';
import type { ClosedPeriod } from '../../src/reconcile/load/closed.ts';
import { breakOf, type ReconBreak } from '../../src/reconcile/recon-break.ts';
import { type Reconciliation, reconcile } from '../../src/reconcile/reconcile.ts';
import { loadRules } from '../../src/reconcile/rules/load.ts';
import { FROM, TO } from '../support/month/days.ts';
import * as fields from '../support/month/faults/fields.ts';
import * as ties from '../support/month/faults/ties.ts';
import * as wallet from '../support/month/faults/wallet.ts';
import { importAll } from '../support/month/import.ts';
import { makeLateMonth, NEXT, nextRows, PROVEN_NEXT } from '../support/month/late.ts';
import { proofOf } from '../support/month/proof.ts';
import type { AccountName, FileLine, ProofRow } from '../support/month/story.ts';
import { toldOf } from '../support/month/tell.ts';
import { Shop } from '../support/shop/shop.ts';

/* What is dated in a closed period and comes after its close, by everything that the generator's oracle settles. */

const carriedFaults = [...Object.values(wallet), ...Object.values(fields), ...Object.values(ties)];

async function runOf(
  { archive, clock }: Shop,
  days: { readonly from: string; readonly to: string },
  closed: readonly ClosedPeriod[] = [],
  { asAtMs = clock.ms, frozen }: { readonly asAtMs?: number; readonly frozen?: Reconciliation } = {},
): Promise<Reconciliation> {
  const dayRule = { zone: 'Africa/Lagos', cutOffMinutes: 1_440 };
  const rules = await loadRules();
  const frozenGroups = async () => (frozen === undefined ? null : openGroups(frozen));
  return reconcile(
    { ...archive, frozenGroups },
    {
      ...{ ...days, environment: 'test', asAtMs, dayRule, kinds: RECORD_KINDS },
      ...{ withoutEndpoint: [], rules, begin: null, closed },
    },
  );
}

/** No run is kept: none has anything to say of files. */
const CLOSED = { environment: 'test', accounts: null, from: FROM, to: TO, run: 0 } as const;

function closedBy({ proof }: Reconciliation, asAtMs: number): ClosedPeriod[] {
  const balances = proof
    .filter(({ environment }) => environment === 'test')
    .map(({ account, currency, rows }) => {
      const closing = rows.find(({ name }) => name === 'closing');
      return { account, currency, ours: closing?.ours ?? 0n, theirs: closing?.theirs ?? 0n };
    });
  return [{ ...CLOSED, closedAtMs: asAtMs, decidedUntilMs: asAtMs, balances }];
}

const text = (minor: bigint) => formatAmount(amountOfMinor(minor));

describe.each([
  { what: 'a month that agrees', more: [], seed: 61 },
  { what: 'a month whose faults are carried', more: carriedFaults, seed: 62 },
])('$what', ({ more, seed }) => {
  const month = makeLateMonth({ seed, clean: 120, more });
  let [october, november, places]: [Reconciliation, Reconciliation, Awaited<ReturnType<typeof importAll>>] = [
    null as never,
    null as never,
    new Map(),
  ];
  let closed: ClosedPeriod[] = [];
  let [again, frozenAgain] = ['', ''];

  beforeAll(async () => {
    const shop = await Shop.of(month.book.records.map(toldOf));
    await importAll(shop, month.files);
    const closedAtMs = shop.clock.ms;
    october = await runOf(shop, { from: FROM, to: TO }, [], { asAtMs: closedAtMs });
    closed = closedBy(october, closedAtMs);
    again = JSON.stringify(october.proof, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    await shop.tell(month.late.records.map(toldOf));
    places = await importAll(shop, [...month.lateFiles, ...month.nextFiles]);
    november = await runOf(shop, NEXT, closed, { frozen: october });
    // A run over closed days is one as at their close.
    const frozen = await runOf(shop, { from: FROM, to: TO }, closed, { asAtMs: closedAtMs });
    frozenAgain = JSON.stringify(frozen.proof, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  });

  const shown = (items: Reconciliation['breaks']) => items.map((one) => breakOf(one, november.span.judgedDay, null));
  const isAt = ({ line }: ReconBreak, wanted: readonly FileLine[] | undefined) =>
    wanted?.some((one) => {
      const place = places.get(one);
      return place?.statement === line?.statement && place?.rows.includes(line?.row ?? 0);
    }) ?? true;

  test('the next days open with what October closed with, and close with what moved and what came late', () => {
    for (const account of PROVEN_NEXT) {
      const balance = closed[0]?.balances.find((one) => one.account === account.name);
      const proof = november.proof.find((one) => one.account === account.name && one.environment === 'test');
      if (balance === undefined || proof === undefined) throw new Error(`no balance of ${account.name}`);
      const { closing } = Object.fromEntries([...proofOf(month.book, account, 5_000_000_000n).rows]);
      if (more.length === 0) expect([account.name, balance.theirs]).toEqual([account.name, closing?.theirs]);
      const wanted = nextRows(month, account, balance);
      const given = new Map(proof.rows.map(({ name, ours, theirs }) => [name as ProofRow, { ours, theirs }]));
      expect([account.name, rowsOf(given, account)]).toEqual([account.name, rowsOf(wanted, account)]);
      expect([account.name, text(proof.unexplained)]).toEqual([account.name, '0.00']);
    }
  });

  test('what explains the difference adds up, and nothing is unexplained', () => {
    for (const { environment, account, currency, rows, unexplained } of november.proof) {
      const closing = rows.find(({ name }) => name === 'closing');
      const lists = [november.breaks, november.timing, november.suggested, november.carried].flat();
      const own = lists.filter(({ place, currency: of, environment: where }) => {
        return place?.account === account && of === currency && where === environment;
      });
      const effects = own.reduce((sum, { place }) => sum + (place?.effect ?? 0n), 0n);
      const difference = (closing?.theirs ?? 0n) - (closing?.ours ?? 0n);
      expect([account, text(effects), text(unexplained)]).toEqual([account, text(difference), '0.00']);
    }
  });

  test('what came late is there once, with the effect that it would have had, and ends what it explains', () => {
    const late = shown(november.breaks).filter(({ code }) => code === 'late_arrival');
    const names = late.map(({ reference, side, leg, effect }) => `${leg} ${side} ${reference} ${formatAmount(effect)}`);
    const wanted = month.late.expected.map(({ leg, side, reference = null, effect = 0n }) => {
      return `${leg} ${side} ${reference} ${text(effect)}`;
    });
    expect(names.toSorted()).toEqual(wanted.toSorted());
    for (const { lines, reference = null, side } of month.late.expected) {
      expect(late.some((one) => one.reference === reference && one.side === side && isAt(one, lines))).toBe(true);
    }
    const lists = shown([november.breaks, november.timing, november.suggested, november.carried].flat());
    const left = lists.map(({ code, reference }) => `${code} ${reference}`);
    expect(month.ended.filter((name) => left.includes(name))).toEqual([]);
    // Before the close each of them was said.
    const before = october.breaks.map((one) => `${one.facts.code} ${one.reference}`);
    expect(month.ended.filter((name) => !before.includes(name))).toEqual([]);
  });

  test('the closed month stays as it was', () => {
    expect(frozenAgain).toBe(again);
  });
});

/** Fee and tax of an account in one: how our fees divide is the lines' matter. */
function rowsOf(rows: ReadonlyMap<ProofRow, { ours: bigint; theirs: bigint }>, _account: AccountName) {
  const of = (row: ProofRow) => rows.get(row) ?? { ours: 0n, theirs: 0n };
  const summed = ['fees', 'tax', 'collections', 'refunds', 'refund_fees', 'payouts', 'duty'] as const;
  const main = {
    ours: summed.reduce((sum, row) => sum + of(row).ours, 0n),
    theirs: summed.reduce((sum, row) => sum + of(row).theirs, 0n),
  };
  const alone = [...rows].filter(([row]) => !(summed as readonly string[]).includes(row));
  const all = [['movements', main] as const, ...alone];
  return Object.fromEntries(all.map(([row, { ours, theirs }]) => [row, `${text(ours)} ${text(theirs)}`]));
}
