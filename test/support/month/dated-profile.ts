import type { LineType } from '../../../src/domain/statements/lines.ts';

const HEADINGS = {
  reference: 'Reference',
  sessionId: 'Session',
  group: 'Group',
  type: 'Type',
  currency: 'Currency',
  transactionReference: 'OrigTx',
};

interface Settings {
  /** Those beside the date; each has the heading above. Without it reference and type. */
  readonly columns?: readonly (keyof typeof HEADINGS)[];
  /** Any other setting of a profile; undefined leaves it out. */
  readonly [setting: string]: unknown;
}

/**
 * The profile of a CSV file of NGN whose first row states its days: `From,2026-10-01,To,2026-10-31`. Name and account are the kind,
 * unless `settings` name them. `types`: the word of the file for each type of line.
 */
export function datedProfile(
  kind: string,
  types: Readonly<Record<string, LineType>>,
  { columns = ['reference', 'type'], ...settings }: Settings = {},
): string {
  const profile = {
    ...{ version: 1, name: kind, kind, account: kind, environment: 'test', currency: 'NGN' },
    file: { skipRows: 1 },
    columns: { date: 'Date', ...Object.fromEntries(columns.map((column) => [column, HEADINGS[column]])) },
    dateFormat: 'yyyy-MM-dd',
    amount: { signed: 'Amount' },
    types,
    covers: { from: { row: 1, column: 2 }, to: { row: 1, column: 4 } },
    ...settings,
  };
  return `${JSON.stringify(profile)}\n`; // JSON is YAML
}

/** The profile of a statement of sales with their fees, batches and adjustments, of the account `a-KIND`. */
export function salesProfile(kind: string, settings: Settings = {}): string {
  const types = { Sale: 'collection', 'Paid out': 'settlement', Adjustment: 'adjustment' } as const;
  return datedProfile(kind, types, {
    ...{ account: `a-${kind}`, columns: ['reference', 'group', 'type'], fee: 'Fee' },
    ...settings,
  });
}
