import { type Amount, amountOfMinor, formatAmount, parseAmount, toMinorOrNull } from '../../../domain/amount.ts';
import { RECORD_FIELDS } from '../../../domain/claim.ts';
import type { FieldForm, Fields, FieldTable, FieldValue } from '../../../domain/fields.ts';
import { perKind, type RecordKind } from '../../../domain/lifecycle.ts';

type Row = Record<string, unknown>;

/** One field of a record and the columns that hold it. */
interface Column {
  readonly field: string;
  readonly form: FieldForm;
  readonly group: 'facts' | 'details';
  readonly names: readonly string[];
}

const COLUMNS = perKind((kind) => columnsOf(RECORD_FIELDS[kind]));

/** Amounts are in `*_minor`; those that may have more decimals are also in `*_exact`, as exact text. */
export function columnNames(kind: RecordKind): string[] {
  return COLUMNS[kind].flatMap((column) => column.names);
}

/** The values of `columnNames(kind)`, in that order. */
export function toColumns(kind: RecordKind, facts: Fields, details: Fields): unknown[] {
  const values: unknown[] = [];
  for (const { field, form, group } of COLUMNS[kind]) {
    const value = (group === 'facts' ? facts : details)[field] ?? null;
    if (value === null || typeof value === 'string') values.push(value);
    else values.push(toMinorOrNull(value));
    if (form === 'exact') values.push(value === null || typeof value === 'string' ? null : formatAmount(value));
  }
  return values;
}

export function fromColumns(kind: RecordKind, row: Row): { facts: Fields; details: Fields } {
  const groups = { facts: {} as Record<string, FieldValue>, details: {} as Record<string, FieldValue> };
  for (const { field, form, group, names } of COLUMNS[kind]) {
    groups[group][field] = fromColumn(
      form,
      names.map((name) => row[name] ?? null),
    );
  }
  return groups;
}

function fromColumn(form: FieldForm, [first, exact]: readonly unknown[]): FieldValue {
  if (form === 'exact') return typeof exact === 'string' ? parseAmount(exact) : null;
  if (form !== 'amount') return first as string | null;
  return first === null ? null : amountOfMinor(BigInt(first as number | bigint));
}

function columnsOf(table: FieldTable): Column[] {
  return (['facts', 'details'] as const).flatMap((group) =>
    Object.entries(table[group]).map(([field, { form }]) => ({ field, form, group, names: namesOf(field, form) })),
  );
}

function namesOf(field: string, form: FieldForm): string[] {
  const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
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
