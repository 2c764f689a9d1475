import type { Account } from '../../domain/statement.ts';
import type { Cell } from '../file/cell.ts';
import { minusOf } from './balance-says.ts';
import { balanceCells } from './balances.ts';
import { BANK_DIRECTIONS, bankTypeOf } from './bank-types.ts';
import { type Roles, wordsOf } from './columns.ts';
import { coverCells } from './covered.ts';
import { currencyOf } from './currency.ts';
import { directionOfWord } from './debit-credit.ts';
import { directionsOf } from './direction-words.ts';
import { dateFormOf, hasDecimals, numberFormOf } from './forms.ts';
import { isInMinorUnits } from './header-words.ts';
import type { Look } from './look.ts';
import { rolesOf } from './roles.ts';
import { cellsOfColumn, type FoundTable } from './table.ts';
import { typeOfCharge, typeOfPayment, typeOfReversal, typeOfWord } from './type-words.ts';

/** One setting of a proposed profile; `why` is null for what the person said or what cannot be otherwise. */
export interface Setting {
  readonly path: readonly string[];
  readonly value: string | number | boolean | null | readonly string[];
  readonly why: string | null;
}

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
  columnSettings(table, roles, add);
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
  const form = dateFormOf(cellsOfColumn(table.lines, roles.date?.index ?? 0));
  for (const { path, row, column, why } of coverCells(look.rows, table, form?.value ?? null)) {
    add(`${path}.row`, row, why);
    add(`${path}.column`, column, why);
  }
  return settings;
}

type Add = (path: string, value: Setting['value'] | undefined, why: string | null) => void;

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

function columnSettings(table: FoundTable, roles: Roles, add: Add): void {
  if (roles.date === undefined)
    add('columns.date', table.header?.[0] || 1, 'no column of dates was found: which one is it?');
  for (const role of NAMED) add(`columns.${role}`, roles[role]?.value, roles[role]?.why ?? null);
  const dates = cellsOfColumn(table.lines, roles.date?.index ?? 0);
  const form = dateFormOf(dates);
  if (form !== null) add('dateFormat', form.value, form.why);
  else if (dates.some((cell) => typeof cell === 'string'))
    add('dateFormat', 'yyyy-MM-dd', 'no known form fits the dates: write it, such as dd/MM/yyyy');
}

function amountSettings(table: FoundTable, roles: Roles, outside: readonly Cell[], add: Add): void {
  const amounts = [roles.debit, roles.credit, roles.signed, roles.net, roles.gross];
  const [debit, credit, signed] = amounts;
  if (debit !== undefined && credit !== undefined) {
    add('amount.debitCredit.debit', debit.value, debit.why);
    add('amount.debitCredit.credit', credit.value, credit.why);
    const minus = minusOf(table, roles);
    if (minus !== null) add('amount.debitCredit.negative', minus.value, minus.why);
  } else {
    const amount = roles.net ??
      signed ??
      roles.gross ?? {
        value: table.header?.at(-1) || table.width,
        why: 'no column of amounts was found: which one is it?',
      };
    add(
      roles.sign === undefined ? 'amount.signed' : 'amount.unsigned',
      amount.value,
      `${amount.why}; it must be what moves the balance`,
    );
    if (roles.sign !== undefined) {
      const { debit, credit } = directionsOf(wordsOf(cellsOfColumn(table.lines, roles.sign.index)));
      add('amount.sign.column', roles.sign.value, roles.sign.why);
      add('amount.sign.debit', debit, 'words of money out');
      add('amount.sign.credit', credit, 'words of money in');
    }
  }
  const money = [...amounts, roles.balance, roles.fee, roles.tax, roles.duty];
  const cells = money.flatMap((one) => (one === undefined ? [] : cellsOfColumn(table.lines, one.index)));
  const { value: form, why } = numberFormOf([...cells, ...outside]);
  add('number.decimal', form.decimal, why);
  add('number.group', form.group, why);
  if (form.grouping === 'indian') add('number.grouping', form.grouping, why);
  add('number.negative', form.negative, why);
  add('number.currencySign', form.currencySign, why);
  const isMinor = amounts.some((one) => one !== undefined && isInMinorUnits(String(one.value)));
  if (isMinor) add('number.unit', 'minor', 'the header says so');
  else
    add(
      'number.unit',
      'major',
      hasDecimals(cells, form) ? 'amounts have decimals' : 'no amount has decimals: minor if 1050 stands for 10.50',
    );
  for (const role of ['fee', 'tax', 'duty', 'gross'] as const) add(role, roles[role]?.value, roles[role]?.why ?? null);
  // Net is held against gross less charges, else against the amount: a column held against itself could never differ.
  const isNetChecked = roles.gross !== undefined || (debit !== undefined && credit !== undefined);
  if (isNetChecked) add('net', roles.net?.value, roles.net?.why ?? null);
}

/** More words than this are no types. */
const MOST_WORDS = 100;

function typeSettings(table: FoundTable, roles: Roles, kind: Account['kind'], add: Add): void {
  const isBank = kind === 'bank';
  if (roles.type === undefined) {
    if (isBank) for (const { word, type, why } of BANK_DIRECTIONS) add(`types.${word}`, type, why);
    return;
  }
  const words = wordsOf(cellsOfColumn(table.lines, roles.type.index)).slice(0, MOST_WORDS);
  for (const word of words) addType(add, word, directionOfWord(table, roles, word), isBank);
}

function addType(add: Add, word: string, direction: -1 | 0 | 1, isBank: boolean): void {
  const paid = typeOfPayment(word, direction) ?? typeOfCharge(word, direction) ?? typeOfReversal(word, direction);
  const said = paid ?? typeOfWord(word);
  const type = isBank ? bankTypeOf(said, direction) : said;
  const moved = `its lines are money ${direction < 0 ? 'out' : 'in'}`;
  const why =
    type !== said
      ? `on a bank account${direction === 0 ? '' : `, and ${moved}`}: settlement is the service's, other is not`
      : type === 'other'
        ? 'what does this word mean?'
        : `by the word${paid === null ? '' : `, and ${moved}`}`;
  // A word may hold a point, so its path is not made of a text.
  add(`types.${word.replaceAll('.', '\u0000')}`, type, why);
}

function kindOf({ name }: Look, roles: Roles): Account['kind'] {
  if (/ban(k|co|que|ca\b)/i.test(name)) return 'bank';
  if (
    /settle|liquida|reglement|regolament|abrechnung/i.test(name) ||
    (roles.group !== undefined && roles.balance === undefined)
  )
    return 'settlement';
  return /ledger|books|journal|libros?\b|livros?\b|diario|hauptbuch|giornale|grand-?livre|contab/i.test(name)
    ? 'ledger'
    : 'wallet';
}
