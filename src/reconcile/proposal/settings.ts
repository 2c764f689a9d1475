import { STATEMENT_KINDS } from '../../domain/statements/lines.ts';
import type { Account } from '../../domain/statements/statement.ts';
import { cellText } from '../file/cell.ts';
import { amountSettings } from './amount-settings.ts';
import { balanceCells } from './balances.ts';
import type { Roles } from './columns.ts';
import { coverCells } from './covered.ts';
import { currencyOf } from './currency.ts';
import { dateFormOf } from './forms.ts';
import type { Guess } from './guess.ts';
import type { Look } from './look.ts';
import { rolesOf } from './roles.ts';
import type { Add, Setting } from './setting.ts';
import { cellsOfColumn, type FoundTable } from './table.ts';
import { typeSettings } from './type-settings.ts';

/** What the person has said already. */
export interface Said {
  readonly name?: string | undefined;
  readonly account?: string | undefined;
  readonly kind?: Account['kind'] | undefined;
  readonly environment?: Account['environment'] | undefined;
}

/** Returns the settings of a profile for a file and its table, each guess with its reason. */
export function settingsFor(look: Look, table: FoundTable, said: Said & { readonly isOfSeveral: boolean }): Setting[] {
  const roles = rolesOf(table);
  const stem =
    look.name
      .replace(/\.[^.]*$/, '')
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 40) || 'statement';
  const account = stem.replace(/[-_.]?\d[\d._-]*/g, '') || 'main';
  const settings: Setting[] = [{ path: ['version'], value: 1, why: null }];
  const add = (path: string, value: Setting['value'] | undefined, why: string | null) => {
    if (value !== undefined) settings.push({ path: path.split('.'), value, why });
  };
  const asked = (path: string, given: string | undefined, guess: string, why: string) =>
    add(path, given ?? guess, given === undefined ? why : null);
  asked('name', said.name, stem, 'the name of the file; choose one that stays');
  const kind = said.kind ?? kindOf(look, roles);
  asked('kind', said.kind, kind, 'wallet, settlement, bank, or ledger (your own books)?');
  // A mark that stays until the file is divided, also where the person has named the account.
  if (said.isOfSeveral)
    add('account', said.account ?? account, 'the file has lines of several accounts: which one is it?');
  else asked('account', said.account, account, 'your name for the account');
  asked(
    'environment',
    said.environment,
    /test|sandbox/i.test(look.name) ? 'test' : 'live',
    'test or live? No file says it',
  );
  if (roles.currency === undefined) {
    const { value, why } = currencyOf(look.name, look.rows, table);
    add('currency', value, `${why}; no column holds it, so it is that of every line`);
  }
  add('file.format', look.format, null);
  if (look.format === 'csv') {
    add('file.encoding', look.encoding.value, look.encoding.why);
    add('file.delimiter', look.delimiter.value, look.delimiter.why);
  }
  add(
    'file.skipRows',
    table.skipRows,
    table.header === null ? 'rows before the first date' : `the header is row ${table.skipRows + 1}`,
  );
  add('file.header', table.header !== null, table.header === null ? 'no row with the usual names' : 'it names columns');
  add(
    'file.footer',
    table.footer,
    look.isWhole
      ? 'rows at the end without a date, or with a balance'
      : 'the end of this large file was not looked at: has it totals?',
  );
  add('zone', 'Africa/Lagos', 'the time zone of dates in the file');
  const dates = cellsOfColumn(table.lines, roles.date?.index ?? 0);
  const form = dateFormOf(dates, daysAbove(look, table));
  columnSettings(table, roles, form, add);
  const balances = balanceCells(look.rows, table);
  amountSettings(
    table,
    roles,
    balances.map(({ cell }) => cell),
    add,
  );
  typeSettings(table, roles, kind, add);
  add('balance.running', roles.balance?.value, roles.balance?.why ?? null);
  for (const { path, row, column, why } of balances) {
    add(`${path}.row`, row, why);
    add(`${path}.column`, column, why);
  }
  for (const { path, row, column, why } of coverCells(look.rows, table, form?.value ?? null)) {
    add(`${path}.row`, row, why);
    add(`${path}.column`, column, why);
  }
  return settings;
}

const NAMED = [
  'date',
  'valueDate',
  'time',
  'reference',
  'sessionId',
  'transactionReference',
  'group',
  'type',
  'currency',
  'text',
  'counterparty',
] as const;

const DAY = /(?<!\d)\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}(?!\d)/g;

/** Days before the table, such as those of the period. */
function daysAbove({ rows }: Look, { skipRows }: FoundTable): string[] {
  return rows.slice(0, skipRows).flatMap((row) => row.flatMap((cell) => cellText(cell).match(DAY) ?? []));
}

function columnSettings(table: FoundTable, roles: Roles, form: Guess<string> | null, add: Add): void {
  if (roles.date === undefined)
    add('columns.date', table.header?.[0] || 1, 'no column of dates was found: which one is it?');
  for (const role of NAMED) add(`columns.${role}`, roles[role]?.value, roles[role]?.why ?? null);
  const dates = cellsOfColumn(table.lines, roles.date?.index ?? 0);
  if (form !== null) add('dateFormat', form.value, form.why);
  else if (dates.some((cell) => typeof cell === 'string'))
    add('dateFormat', 'yyyy-MM-dd', 'no known form fits the dates: write it, such as dd/MM/yyyy');
}

/** What the name of a file says of its account; null: nothing. */
const NAMES = {
  bank: /ban(k|que)/i,
  settlement: /settle|reglement/i,
  ledger: /ledger|books|journal|grand-?livre/i,
  wallet: null,
} as const satisfies Readonly<Record<Account['kind'], RegExp | null>>;

function kindOf({ name }: Look, roles: Roles): Account['kind'] {
  const named = STATEMENT_KINDS.filter((kind) => NAMES[kind]?.test(name));
  if (named.includes('bank')) return 'bank';
  const hasBatches = roles.group !== undefined && roles.balance === undefined;
  return hasBatches ? 'settlement' : (named[0] ?? 'wallet');
}
