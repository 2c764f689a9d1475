import type { Outside } from './dialects.ts';
import type { FilePlan } from './files.ts';
import { type Column, columnsOf } from './write-file.ts';

/** The profile of a file as YAML (JSON is YAML), written from docs/statements.md. */
export function profileOf({ account, dialect }: FilePlan): string {
  const columns = columnsOf(dialect);
  const place = (column: Column) => (dialect.hasHeader ? column : columns.indexOf(column) + 1);
  const has = (column: Column) => columns.includes(column);
  const cell = (what: Outside, column: number) => {
    const above = dialect.above.indexOf(what);
    const below = dialect.below.indexOf(what);
    if (above >= 0) return { row: above + 1, column };
    return below >= 0 ? { row: below - dialect.below.length, column } : undefined;
  };
  const amount = {
    signed: { signed: place('amount') },
    debitCredit: { debitCredit: { debit: place('debit'), credit: place('credit') } },
    unsigned: { unsigned: place('amount'), sign: { column: place('direction'), debit: ['DR'], credit: ['CR'] } },
  }[dialect.amount];
  const charges = Object.fromEntries(
    (['gross', 'fee', 'tax', 'duty', 'net'] as const).filter(has).map((column) => [column, place(column)]),
  );
  const running = has('balance') ? place('balance') : undefined;
  const balance = present({ running, opening: cell('opening', 2), closing: cell('closing', 2) });
  const controls = present({ rows: cell('rows', 2), sum: cell('sum', 2) });
  const covers = present({ from: cell('covers', 2), to: cell('covers', 4) });
  return `${JSON.stringify({
    ...{ version: 1, name: `${account.name}-${dialect.name}`, kind: account.kind, account: account.name },
    ...{ environment: account.environment, currency: account.currency, zone: 'Africa/Lagos' },
    file: {
      format: dialect.format,
      ...(dialect.format === 'csv' && { encoding: dialect.encoding, delimiter: dialect.delimiter }),
      ...(dialect.format === 'xlsx' && { sheet: 'Statement' }),
      ...{ skipRows: dialect.above.length, header: dialect.hasHeader, footer: dialect.below.length },
    },
    columns: {
      ...{ date: place('date'), reference: place('reference'), sessionId: place('session') },
      ...{ transactionReference: place('transaction'), group: place('batch'), type: place('type') },
      text: place('details'),
    },
    dateFormat: dialect.dateFormat,
    amount,
    number: dialect.number,
    ...charges,
    types: Object.fromEntries(Object.entries(dialect.words).map(([type, word]) => [word, type])),
    ...(Object.keys(balance).length > 0 && { balance }),
    ...(Object.keys(controls).length > 0 && { controls }),
    ...(Object.keys(covers).length > 0 && { covers }),
  })}\n`;
}

function present(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
