import { whyUncompared } from '../matching/uncompared.ts';
import type { ReportUncompared } from '../report/model.ts';
import { type CheckItem, counted } from './check-items.ts';
import { IMPORT } from './missing-statements.ts';

/** Adds the lines that were compared with nothing: a period may look clean by that. */
export function withUncompared(item: CheckItem, rows: readonly ReportUncompared[]): CheckItem {
  if (rows.length === 0) return item;
  const text = [item.text, ...rows.map(uncomparedText)].join('; ');
  const next = item.next ?? (rows.some(({ lacks }) => lacks !== null) ? IMPORT : null);
  if (item.state === 'ok') return { ...item, state: 'note', count: rows.length, text, next };
  return { ...item, count: item.state === 'note' ? item.count + rows.length : item.count, text, next };
}

function uncomparedText(one: ReportUncompared): string {
  const { account, currency, type, lines, moved } = one;
  const what = counted(lines, `${type.replace('_', '-')} line`);
  const sum = `${currency} ${moved.replace(/^-/, '')}`;
  return `${what} of ${account}, ${sum} in all, compared with nothing: ${whyUncompared(one)}`;
}
