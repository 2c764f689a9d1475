import { counted } from '../../domain/text/quantity-text.ts';
import { whyUncompared } from '../judge/uncompared.ts';
import type { ReportUncompared } from '../report/model.ts';
import type { CheckItem } from './check-items.ts';
import { IMPORT } from './missing-statements.ts';

/** Adds the lines that were compared with nothing: a period may look clean by that. */
export function withUncompared(item: CheckItem, rows: readonly ReportUncompared[]): CheckItem {
  if (rows.length === 0) return item;
  const awaited = rows.filter(({ lacks }) => lacks !== null);
  const byAccount = Map.groupBy(
    rows.filter(({ lacks }) => lacks === null),
    ({ account }) => account,
  );
  const texts = [...awaited.map(uncomparedText), ...[...byAccount].map(([account, own]) => withoutRule(account, own))];
  const text = [item.text, ...texts].join('; ');
  const next = item.next ?? (awaited.length > 0 ? IMPORT : null);
  if (item.state === 'ok') return { ...item, state: 'note', count: rows.length, text, next };
  return { ...item, count: item.state === 'note' ? item.count + rows.length : item.count, text, next };
}

function uncomparedText(one: ReportUncompared): string {
  const what = counted(one.lines, `${wordOf(one)} line`);
  return `${what} of ${one.account}, ${sumOf(one)} in all, compared with nothing: ${whyUncompared(one)}`;
}

/** `bank-main: no rule compares fee NGN 52.50, transfer NGN 150000.00` */
function withoutRule(account: string, rows: readonly ReportUncompared[]): string {
  return `${account}: no rule compares ${rows.map((one) => `${wordOf(one)} ${sumOf(one)}`).join(', ')}`;
}

function wordOf({ type }: ReportUncompared): string {
  return type.replace('_', '-');
}

function sumOf({ currency, moved }: ReportUncompared): string {
  return `${currency} ${moved.replace(/^-/, '')}`;
}
