import { RECORD_FIELDS } from '../../../domain/events/stated.ts';
import { type Amount, amountOfMinor, formatAmount, parseAmount, toMinorOrNull } from '../../../domain/money/amount.ts';
import type { FieldForm, FieldSpec, Fields, FieldValue } from '../../../domain/records/fields.ts';
import { perKind, type RecordKind } from '../../../domain/records/lifecycle.ts';
import type { RecordState } from '../../../domain/records/observe.ts';
import { MONEY_FIELDS } from '../../../domain/records/witness-money.ts';
import { snakeCase } from './snake-case.ts';
import { addTimeColumns, timeColumnNames, timesFromColumns } from './times.ts';

/** The part of a record's state that its columns hold field by field. */
export type RecordFields = Pick<RecordState, 'facts' | 'details' | 'money' | 'times'>;

type Row = Record<string, unknown>;

/** Facts and details, and the money by the webhooks and by the status endpoint. */
const GROUPS = ['facts', 'details', 'reported', 'confirmed'] as const;
type Group = (typeof GROUPS)[number];

/** One field of a record and the columns that hold it. */
interface Column {
  readonly field: string;
  readonly form: FieldForm;
  readonly group: Group;
  readonly names: readonly string[];
}

const COLUMNS = perKind(columnsOf);
const NAMES = perKind((kind) => [...COLUMNS[kind].flatMap((column) => column.names), ...timeColumnNames(kind)]);

/** Amounts are in `*_minor`; those that may have more decimals are also in `*_exact`, as exact text. */
export function columnNames(kind: RecordKind): readonly string[] {
  return NAMES[kind];
}

/** The values of `columnNames(kind)`, in that order. */
export function toColumns(kind: RecordKind, { facts, details, money, times }: RecordFields): unknown[] {
  const groups: Record<Group, Fields> = { facts, details, ...money };
  const values: unknown[] = [];
  for (const { field, form, group } of COLUMNS[kind]) {
    const value = groups[group][field] ?? null;
    if (value === null || typeof value === 'string') values.push(value);
    else values.push(toMinorOrNull(value));
    if (form === 'exact') values.push(value === null || typeof value === 'string' ? null : formatAmount(value));
  }
  addTimeColumns(kind, times, values);
  return values;
}

export function fromColumns(kind: RecordKind, row: Row): RecordFields {
  const groups: Record<Group, Record<string, FieldValue>> = { facts: {}, details: {}, reported: {}, confirmed: {} };
  for (const { field, form, group, names } of COLUMNS[kind]) {
    const [first = '', exact = ''] = names;
    groups[group][field] = fromColumn(form, row[first] ?? null, row[exact]);
  }
  const { facts, details, ...money } = groups;
  return { facts, details, money, times: timesFromColumns(kind, row) };
}

function fromColumn(form: FieldForm, first: unknown, exact: unknown): FieldValue {
  if (form === 'exact') return typeof exact === 'string' ? parseAmount(exact) : null;
  if (form !== 'amount') return first as string | null;
  return first === null ? null : amountOfMinor(BigInt(first as number | bigint));
}

function columnsOf(kind: RecordKind): Column[] {
  const { facts, details } = RECORD_FIELDS[kind];
  const all: Readonly<Record<string, FieldSpec>> = { ...facts, ...details };
  const money = MONEY_FIELDS[kind];
  const fields = { facts: Object.keys(facts), details: Object.keys(details), reported: money, confirmed: money };
  return GROUPS.flatMap((group) =>
    fields[group].flatMap((field): Column[] => {
      const form = all[field]?.form;
      const prefix = group === 'reported' || group === 'confirmed' ? `${group}_` : '';
      return form === undefined ? [] : [{ field, form, group, names: namesOf(`${prefix}${snakeCase(field)}`, form) }];
    }),
  );
}

function namesOf(name: string, form: FieldForm): string[] {
  if (form === 'amount') return [`${name}_minor`];
  return form === 'exact' ? [`${name}_minor`, `${name}_exact`] : [name];
}

/** Fields without a value are left out; amounts become exact decimal text. */
export function fieldsToJson(fields: Fields): Record<string, string> {
  const json: Record<string, string> = {};
  for (const name in fields) {
    const value = fields[name] ?? null;
    if (value !== null) json[name] = typeof value === 'string' ? value : formatAmount(value);
  }
  return json;
}

export function fieldsFromJson(kind: RecordKind, group: 'facts' | 'details', json: Record<string, string>): Fields {
  const fields: Record<string, string | Amount | null> = {};
  for (const column of COLUMNS[kind]) {
    if (column.group !== group) continue;
    const value = json[column.field] ?? null;
    const isMoney = column.form === 'amount' || column.form === 'exact';
    fields[column.field] = value !== null && isMoney ? parseAmount(value) : value;
  }
  return fields;
}
