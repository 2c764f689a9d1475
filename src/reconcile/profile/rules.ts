import { dateFormatProblem, hasTime } from '../file/date-format.ts';
import { type BrokenRule, settingAt } from '../settings-file/schema-problems.ts';
import { columnPlaces } from './columns.ts';

/**
 * Returns the settings that contradict each other. Looks at a profile before the schema has checked it, so that all problems are
 * reported at once: what has a wrong type is the schema's to report.
 */
export function brokenRules(profile: object): BrokenRule[] {
  const broken: BrokenRule[] = [];
  const add = (path: readonly PropertyKey[], rule: string) => broken.push({ path, rule });
  const at = (...path: string[]) => settingAt(profile, path);
  if (at('currency') === undefined && at('columns', 'currency') === undefined) {
    add(['currency'], 'must be given, because columns.currency is not: whose currency are the amounts in?');
  }
  const pattern = at('dateFormat');
  if (pattern === undefined && at('file', 'format') !== 'xlsx') {
    add(['dateFormat'], 'must be given for a CSV file, such as dd/MM/yyyy');
  }
  const isPattern = typeof pattern === 'string' && dateFormatProblem(pattern.trim()) === null;
  if (isPattern && hasTime(pattern) && at('columns', 'time') !== undefined) {
    add(['columns', 'time'], 'must be left out, because dateFormat has a time already');
  }
  if (at('number', 'group') !== undefined && at('number', 'group') === (at('number', 'decimal') ?? '.')) {
    add(['number', 'group'], 'must not be the decimal separator');
  }
  if ((at('file', 'quote') ?? '"') === (at('file', 'delimiter') ?? ','))
    add(['file', 'quote'], 'must not be the delimiter');
  if (
    at('columns', 'type') === undefined &&
    Object.keys(Object(at('types'))).some((word) => !WITHOUT_COLUMN.has(word))
  ) {
    add(
      ['types'],
      'has words, but columns.type names no column in which they stand: "" is every line, "+" money in, "-" money out',
    );
  }
  for (const rule of amountRules(at('amount'))) add(['amount'], rule);
  if (isFalse(at('file', 'header'))) {
    for (const { path, column } of columnPlaces(profile)) {
      const rule = 'must be the number of a column from 1, because file.header is false';
      if (typeof column !== 'number') add(path, rule);
    }
  }
  return broken;
}

/** What `types` may say of lines of which no column says what they are. */
const WITHOUT_COLUMN: ReadonlySet<string> = new Set(['', '+', '-']);

function amountRules(amount: unknown): string[] {
  if (typeof amount !== 'object' || amount === null) return [];
  const has = (name: string) => settingAt(amount, [name]) !== undefined;
  const rules: string[] = [];
  if (['signed', 'debitCredit', 'unsigned'].filter(has).length !== 1) {
    rules.push('must have exactly one of signed, debitCredit and unsigned');
  }
  if (has('unsigned') !== has('sign')) rules.push('must have unsigned and sign together');
  const words = (side: string) => [settingAt(amount, ['sign', side])].flat().filter((word) => typeof word === 'string');
  const both = words('debit').find((word) => words('credit').includes(word));
  if (both !== undefined) rules.push(`must not have ${JSON.stringify(both)} as debit and as credit`);
  return rules;
}

/** Without a header a column is a number. A guess that was confirmed may keep its quotes: `"3"`. */
export function withColumnNumbers(profile: Record<string, unknown>): Record<string, unknown> {
  if (!isFalse(settingAt(profile, ['file', 'header']))) return profile;
  for (const { path, column } of columnPlaces(profile)) {
    if (typeof column !== 'string' || !/^\d{1,5}$/.test(column)) continue;
    const parent = settingAt(profile, path.slice(0, -1)) as Record<string, unknown>;
    parent[path.at(-1) ?? ''] = Number(column);
  }
  return profile;
}

function isFalse(value: unknown): boolean {
  return value === false || value === 'false';
}
