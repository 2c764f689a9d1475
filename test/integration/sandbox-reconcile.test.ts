import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatAmount, isAmount } from '../../src/domain/money/amount.ts';
import type { Item } from '../../src/domain/reconciling/break.ts';
import type { Reconciliation } from '../../src/reconcile/reconcile.ts';
import {
  CURRENCIES,
  type Currency,
  DIALECT_NAMES,
  type DialectName,
  type FileChaos,
  type Sandbox,
  STATEMENT_KINDS,
  type StatementFile,
  type StatementKind,
} from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../support/folder.ts';
import { someOf } from '../support/random-runs.ts';
import { ReceivedMonth } from '../support/sandbox-receiver-month.ts';
import { playStatementMonth, startStatementMonth } from '../support/statement-month.ts';

// The sandbox's statement files in every dialect, against what the real receiver kept of the same days.

const DAYS = { from: '2026-03-01', to: '2026-03-12' } as const;
let sandbox: Sandbox;
let received: ReceivedMonth;

beforeAll(async () => {
  sandbox = await startStatementMonth();
  received = await ReceivedMonth.of(sandbox, playStatementMonth, temporaryFolder());
});
afterAll(() => sandbox.close());

type Chaos = Partial<Record<`${StatementKind} ${Currency}`, FileChaos>>;

/** Every file of the days that has a line. */
async function filesIn(dialect: DialectName, chaos: Chaos = {}, seed = 1): Promise<StatementFile[]> {
  const wanted = STATEMENT_KINDS.flatMap((kind) => CURRENCIES.map((currency) => ({ kind, currency })));
  const all = await Promise.all(
    wanted.map(({ kind, currency }) =>
      sandbox.statement({ kind, currency, dialect, ...DAYS, chaos: chaos[`${kind} ${currency}`] ?? {}, seed }),
    ),
  );
  return all.filter(({ lines }) => lines > 0);
}

function unexplained({ proof }: Reconciliation): [string, bigint][] {
  return proof.map(({ account, unexplained }) => [account, unexplained]);
}

const NOTHING_UNEXPLAINED = ['bank-ngn', 'bank-usd', 'wallet-ghs', 'wallet-kes', 'wallet-ngn', 'wallet-usd'].map(
  (account) => [`m1-${account}`, 0n],
);

test.each(DIALECT_NAMES)('%s: files without faults have no break, and explain every balance', async (dialect) => {
  const { result } = await received.reconcile(await filesIn(dialect), DAYS);
  expect([result.breaks, result.timing, result.suggested, result.carried]).toEqual([[], [], [], []]);
  expect(unexplained(result)).toEqual(NOTHING_UNEXPLAINED);
  expect(Object.fromEntries(result.statements?.matched ?? [])).toEqual({
    ...{ 'records-wallet': 8, 'records-settlement': 6 },
    ...{ 'batch-wallet': 3, 'batch-bank': 3, 'topup-bank': 1 },
  });
  for (const { rows } of result.proof) expect(rows.filter(({ ours, theirs }) => ours !== theirs)).toEqual([]);
});

const CHAOS: Chaos = {
  'wallet NGN': { lost: 1, doubled: 1, split: 1, altered: 1, fee: 1, dialect: 1 },
  'settlement USD': { fee: 1 },
  'bank NGN': { doubled: 1, altered: 1 },
};
/** With it each fault is in a record of its own, and none in a line that has no other side. */
const APART = 843;

test.each(someOf(3, DIALECT_NAMES))('%s: planted faults are the breaks, and no others', async (dialect) => {
  const files = await filesIn(dialect, CHAOS, APART);
  const { result, statements } = await received.reconcile(files, DAYS);
  // Values of the books and of the files, as --planted says them; fees of ours hold the tax (order-1: 18.00 + 1.35).
  const unreadable = files.flatMap(({ planted }) => planted).find(({ kind }) => kind === 'dialect');
  expect(shown(result)).toEqual([
    'ambiguous records-wallet order-3: 99.99 → null',
    'amount_mismatch records-wallet order-2: 123456.78 → 123460.59',
    'duplicate_external topup-bank TOP_82E28708FA80A747: null → 2500.00',
    'duplicate_external records-wallet payout-2: null → 10.00',
    'fee_mismatch records-wallet order-1: 19.35 → 18.00',
    'fee_mismatch records-wallet payout-1: 10.75 → 10.77',
    'missing_external records-wallet order-4: 75000.00 → null',
    'split_incomplete batch-bank STL_6116435D4350BBE3: 74032.50 → 74039.84',
    `unparsed - row ${unreadable?.rows[0]}: null → ${unreadable?.file[0]}`,
    'fee_mismatch records-settlement card-1: 0.52 → 0.63',
    'split_incomplete batch-bank STL_AF192867C3C7DBEE: 26.33 → 26.44',
    'split_incomplete batch-wallet STL_AF192867C3C7DBEE: 26.33 → 26.44',
  ]);
  const faults = files.flatMap(({ planted }) => planted.map(({ kind, reference }) => `${kind} ${reference}`));
  expect(faults).toEqual([
    'dialect order-1',
    'altered order-2',
    'fee payout-1',
    'doubled payout-2',
    'lost order-4',
    'split order-3',
    'fee card-1',
    'doubled TOP_82E28708FA80A747',
    'altered STL_6116435D4350BBE3',
  ]);
  expect(unexplained(result)).toEqual(NOTHING_UNEXPLAINED);
  expect(strangers(result, files, statements)).toEqual([]);
});

const WIDE: Chaos = {
  ...CHAOS,
  'wallet USD': { lost: 1, late: 1 },
  'settlement NGN': { split: 1, doubled: 1, dialect: 1 },
  'bank NGN': { lost: 1, late: 1 },
};

test.each(someOf(1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))(
  'whatever lines have faults (seed %i), no break is without one, and every balance is explained',
  async (seed) => {
    const files = await filesIn('parentheses', WIDE, seed);
    const { result, statements } = await received.reconcile(files, DAYS);
    expect(strangers(result, files, statements)).toEqual([]);
    expect(result.breaks.length).toBeGreaterThan(5);
    expect(unexplained(result)).toEqual(NOTHING_UNEXPLAINED);
  },
);

function shown({ breaks }: Reconciliation): string[] {
  const text = (value: Item['facts']['ours']) => (isAmount(value) ? formatAmount(value) : value);
  return breaks.map(
    ({ facts, reference, place }) =>
      `${facts.code} ${place?.leg ?? '-'} ${reference ?? `row ${place?.line?.row}`}: ${text(facts.ours)} → ${text(facts.theirs)}`,
  );
}

/** Breaks that no planted fault explains: none has the reference, the batch or the row of one. */
function strangers(
  { breaks, suggested }: Reconciliation,
  files: readonly StatementFile[],
  statements: ReadonlyMap<StatementFile, number>,
): Item[] {
  const rows = new Set<string>();
  const names = new Set<string>();
  for (const file of files) {
    for (const fault of file.planted) {
      for (const name of [fault.reference, fault.group]) names.add(name);
      for (const row of fault.rows) rows.add(`${statements.get(file)} ${row}`);
    }
  }
  return [...breaks, ...suggested].filter(
    ({ reference, place }) =>
      // A second top-up of one reference is named with its place, such as TOP_1 (2).
      !names.has(reference?.replace(/ \(\d+\)$/, '') ?? '-') &&
      !rows.has(`${place?.line?.statement} ${place?.line?.row}`),
  );
}
