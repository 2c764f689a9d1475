import { createHash } from 'node:crypto';
import type { StatementLine, StatementTotals, UnparsedRow } from '../../../src/domain/statements/statement.ts';
import type { Begun, ImportOrder, Removed, StatementFilter } from '../../../src/store/statements.ts';
import type { Handle } from './handle.ts';

/* What a guarantee does with statements, through the port. A line is a letter: what it says, and its date, follow from it. */

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export const orderOf = (file: string, over: Partial<ImportOrder> = {}): ImportOrder => ({
  account: { name: 'wallet', kind: 'wallet', environment: 'test' },
  file: { name: `${file}.csv`, sha256: digestOf(`file ${file}`), bytes: 100 },
  profile: { name: 'standard', digest: digestOf('standard'), text: 'name: standard\n' },
  ...over,
});

/** The line of a letter at a row. The running balance is the statement's own. */
export function lineOf(letter: string, row: number, occurrence = 1, balance: bigint | null = null): StatementLine {
  const units = BigInt(letter.codePointAt(0) ?? 0);
  return {
    row,
    fingerprint: digestOf(`line ${letter}`),
    occurrence,
    date: `2026-11-${String((Number(units) % 28) + 1).padStart(2, '0')}`,
    valueDate: null,
    atMs: null,
    type: 'collection',
    typeText: 'Collection',
    currency: 'NGN',
    amount: units,
    principal: units,
    fee: null,
    tax: null,
    duty: null,
    balance,
    reference: letter,
    sessionId: null,
    transactionReference: null,
    group: null,
    text: null,
    counterparty: null,
  };
}

/** The lines of a file: `aab` has `a` twice. The first row is 2, behind the header. */
export function linesOf(file: string): StatementLine[] {
  const seen = new Map<string, number>();
  return [...file].map((letter, index) => {
    const occurrence = (seen.get(letter) ?? 0) + 1;
    seen.set(letter, occurrence);
    return lineOf(letter, index + 2, occurrence, BigInt(index));
  });
}

export const unreadable = (row: number): UnparsedRow => ({
  row,
  column: 'Amount',
  value: '1.234,56',
  date: null,
  currency: row % 2 === 0 ? 'NGN' : null,
  reason: 'It is no amount.',
  fingerprint: digestOf(`row ${row}`),
  occurrence: 1,
});

export const totalsOf = (lines: number, over: Partial<StatementTotals> = {}): StatementTotals => ({
  lines,
  unparsed: 0,
  balances: [],
  covers: null,
  statesDays: false,
  controls: [],
  ...over,
});

/** Begins an import, as often as it takes. */
export async function begin(handle: Handle, order: ImportOrder): Promise<Exclude<Begun, { outcome: 'clearing' }>> {
  const { statements } = await handle.operations();
  for (;;) {
    const begun = await statements.begin(order);
    if (begun.outcome !== 'clearing') return begun;
  }
}

/** Begins an import that is not refused. */
export async function begun(handle: Handle, order: ImportOrder): Promise<number> {
  const answer = await begin(handle, order);
  if (answer.outcome !== 'begun') throw new Error(`The import was refused: ${answer.outcome}.`);
  return answer.statement;
}

/** Imports a whole file of letters. */
export async function imported(handle: Handle, file: string, over: Partial<ImportOrder> = {}) {
  const { statements } = await handle.operations();
  const statement = await begun(handle, orderOf(file, over));
  const counts = await statements.keep({ statement, lines: linesOf(file), unparsed: [] });
  await statements.finish({ statement, totals: totalsOf(file.length) });
  return { statement, ...counts };
}

/** Removes a statement whole; null: there is none. */
export async function removed(handle: Handle, statement: number): Promise<Omit<Removed, 'done'> | null> {
  const { statements } = await handle.operations();
  const sum = { lines: 0, left: 0, matches: 0 };
  for (;;) {
    const piece = await statements.remove({ statement });
    if (piece === null) return null;
    sum.lines += piece.lines;
    sum.left += piece.left;
    sum.matches += piece.matches;
    if (piece.done) return sum;
  }
}

export async function abandoned(handle: Handle, statement: number): Promise<void> {
  const { statements } = await handle.operations();
  while (!(await statements.abandon({ statement })).done);
}

/** The letters of a statement in the order of its rows, as the archive pages them. */
export async function lettersOf(handle: Handle, statement: number, limit = 100): Promise<string> {
  return (await linesIn(handle, statement, limit)).map(({ reference }) => reference).join('');
}

export async function linesIn(handle: Handle, statement: number, limit = 100): Promise<StatementLine[]> {
  const archive = await handle.archive();
  const found: StatementLine[] = [];
  let after: Awaited<ReturnType<typeof archive.statementLines>>['next'] = null;
  do {
    const page = await archive.statementLines({ statement, after, limit });
    found.push(...page.lines);
    after = page.next;
  } while (after !== null);
  return found;
}

/** The numbers of the statements that the list shows. */
export async function listed(handle: Handle, filter: StatementFilter = {}): Promise<number[]> {
  const archive = await handle.archive();
  const list = await archive.statements(filter, { limit: 100, order: 'oldest' });
  return list.map(({ statement }) => statement);
}
