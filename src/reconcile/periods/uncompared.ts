import type { ReportUncompared } from '../report/model.ts';
import { type CheckItem, counted } from './check-items.ts';
import { IMPORT } from './missing-statements.ts';

/** Adds the lines that were compared with nothing, as no statement of their other side is there: a period may look clean by that. */
export function withUncompared(item: CheckItem, rows: readonly ReportUncompared[]): CheckItem {
  if (rows.length === 0) return item;
  const text = [item.text, ...rows.map(uncomparedText)].join('; ');
  const next = item.next ?? IMPORT;
  if (item.state === 'ok') return { ...item, state: 'note', count: rows.length, text, next };
  return { ...item, count: item.state === 'note' ? item.count + rows.length : item.count, text, next };
}

function uncomparedText({ account, currency, type, lacks, lines, moved }: ReportUncompared): string {
  const what = counted(lines, `${type.replace('_', '-')} line`);
  const sum = `${currency} ${moved.replace(/^-/, '')}`;
  const covers = `no ${lacks} statement covers ${lines === 1 ? 'it' : 'them'}`;
  return `${what} of ${account}, ${sum} in all, compared with nothing: ${covers}`;
}
