import { describe, expect, it } from 'vitest';
import { type Amount, formatAmount } from '../../../../src/domain/money/amount.ts';
import type { AccountFiles } from '../../../../src/reconcile/matching/account-files.ts';
import { Books } from '../../../../src/reconcile/matching/book.ts';
import { gapAtOpening } from '../../../../src/reconcile/matching/file-across.ts';
import { type MatchRun, newFindings } from '../../../../src/reconcile/matching/run.ts';
import type { StatementSummary } from '../../../../src/store/statements.ts';

/* October, in books that began in August with 1,000.00; 89.50 moved since, all in August. */

const WINDOW = { from: '2026-10-01', until: '2026-10-31', begin: '2026-08-01', asAtDay: '2026-11-22' };
const account = { name: 'wallet', environment: 'test', kind: 'wallet' };

function statement(number: number, from: string, to: string, opening: bigint | null, closing: bigint | null) {
  const balances = [{ currency: 'NGN', opening, closing }];
  return {
    statement: number,
    account,
    covers: { from, to },
    statesDays: true,
    balances,
  } as unknown as StatementSummary;
}

const AUGUST = statement(1, '2026-08-01', '2026-08-31', 100_000n, 108_950n);

interface Order {
  readonly before?: StatementSummary | null;
  readonly carried?: bigint;
  readonly beside?: string | null;
}

const amountText = (value: Amount | string | null) =>
  value === null || typeof value === 'string' ? value : formatAmount(value);

async function listed(by: StatementSummary, { before = AUGUST, carried = 0n, beside = null }: Order = {}) {
  const found = newFindings();
  const books = new Books();
  const late = { statements: new Set() };
  const scratch = { late: { sumOf: () => 0n } };
  const run = { window: WINDOW, found, books, late, scratch } as unknown as MatchRun;
  const archive = { movedOn: async () => 8_950n };
  const shown = before === null ? [by] : [before, by];
  const chain = { files: shown, before: () => [] };
  const book = books.of({ environment: 'test', account: 'wallet', currency: 'NGN' });
  const files = { run, archive, chain, shown, currency: 'NGN', book } as unknown as AccountFiles;
  await gapAtOpening(files, { statement: by, covered: before, carried, beside });
  const textOf = ({ facts, place }: (typeof found.breaks)[number]) =>
    `${amountText(facts.ours)} ${amountText(facts.theirs)} ${place?.effect} ${facts.sub} ${facts.detail}`;
  expect(book.effects).toBe(
    [...found.breaks, ...found.carried].reduce((sum, { place }) => sum + (place?.effect ?? 0n), 0n),
  );
  return { breaks: found.breaks.map(textOf), carried: found.carried.map(textOf) };
}

const october = (opening: bigint | null, from = '2026-10-01') => statement(2, from, '2026-10-31', opening, null);

describe('the statement that gives the opening balance, where ours is of the configuration', () => {
  it('is a gap with its difference', async () => {
    const text = '1089.50 1139.50 5000 null no statement covers 2026-09-01 to 2026-09-30';
    expect(await listed(october(113_950n))).toEqual({ breaks: [text], carried: [] });
  });

  it('is none where it goes on, or states no balance, or no statement is before it', async () => {
    const none = { breaks: [], carried: [] };
    expect(await listed(october(108_950n))).toEqual(none);
    expect(await listed(october(null))).toEqual(none);
    expect(await listed(october(113_950n), { before: null })).toEqual(none);
  });

  it('goes on from what was found in the statements before it too', async () => {
    const stating = statement(1, '2026-08-01', '2026-08-31', 100_000n, null);
    expect(await listed(october(113_950n), { before: stating, carried: 5_000n })).toEqual({ breaks: [], carried: [] });
  });

  it('is open from before where it opens before the period', async () => {
    const text = '1089.50 1139.50 5000 null no statement covers 2026-09-01 to 2026-09-20';
    expect(await listed(october(113_950n, '2026-09-21'))).toEqual({ breaks: [], carried: [text] });
  });

  it('does not go on from a closing balance that is not what the lines before it make', async () => {
    const rival = statement(1, '2026-08-01', '2026-10-31', 100_000n, 113_950n);
    expect((await listed(october(113_950n), { before: rival })).breaks).toEqual(['1089.50 1139.50 5000 null null']);
    const { breaks } = await listed(october(113_950n), { before: rival, beside: 'they differ' });
    expect(breaks).toEqual(['1089.50 1139.50 5000 contradicting they differ']);
  });
});
