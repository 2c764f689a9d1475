import { printable } from '../../domain/text/printable.ts';
import { escaped } from '../../reconcile/report/html/text.ts';
import { counted, grouped, signed } from '../../reconcile/report/words.ts';
import { localTime } from '../../time/local-time.ts';
import type { AmountCell, Cell, CountCell, Shown, TextCell, TimeCell } from './page.ts';

// A value of a page as HTML. Each text passes `escaped`, and all but figures stand in their own direction of writing (`bdi`).

/** What a count reads that an index cannot bound. */
export const UNCOUNTED = 'more than it is worth counting';

/** First characters of a digest that tell it from others. */
const DIGEST_CHARACTERS = 12;

/** Digits alone turn no writing around them. A report has thousands of figures, and each page a bound. */
const FIGURE = /^[−+-]?[\d.,]+$/;

/** How values are written, with times in `zone`. */
export function cellWriter(zone: string): (value: Shown) => string {
  const local = localTime(zone);

  const write = (value: Shown): string => {
    if (value === null) return '<span class="none">–</span>';
    if (Array.isArray(value)) return value.map(write).join(' ');
    if (typeof value !== 'object') return textWithin(typeof value === 'number' ? counted(value) : String(value));
    return writeCell(value);
  };
  const writeCell = (cell: Cell): string => {
    if ('ms' in cell) return linked(timeHtml(cell, local), cell.href);
    if ('amount' in cell) return amountHtml(cell);
    if ('count' in cell) return countHtml(cell);
    return textHtml(cell);
  };
  return write;
}

function textHtml({ text, as, tone, href, note }: TextCell): string {
  if (as === 'body') return lines(text);
  return toned(linked(wordsHtml(text, as), href), as === 'status' ? `status ${tone ?? ''}` : tone) + noteHtml(note);
}

function textWithin(text: string): string {
  return FIGURE.test(text) ? escaped(text) : `<bdi>${escaped(text)}</bdi>`;
}

function wordsHtml(text: string, as: TextCell['as']): string {
  const words = escaped(text);
  switch (as) {
    case 'id':
      return `<bdi class="id">${words}</bdi>`;
    case 'digest': {
      const first = text.length > DIGEST_CHARACTERS ? `${escaped(text.slice(0, DIGEST_CHARACTERS))}…` : words;
      return `<bdi class="id digest" data-whole="${words}" title="${words}">${first}</bdi>`;
    }
    case 'code':
      return `<code>${words}</code>`;
    case 'long':
      return `<bdi class="long">${words}</bdi>`;
    default:
      return textWithin(text);
  }
}

function timeHtml({ ms, as = 'time' }: TimeCell, local: (ms: number) => string): string {
  if (ms === null) return '<span class="none">–</span>';
  const utc = new Date(ms).toISOString();
  const shown = as === 'day' ? local(ms).slice(0, 'yyyy-MM-dd'.length) : local(ms);
  return `<time datetime="${utc}" title="${utc.slice(0, -'.000Z'.length).replace('T', ' ')} UTC">${shown}</time>`;
}

function amountHtml({ amount, currency, as = 'amount', tone, href, note }: AmountCell): string {
  if (amount === null) return '<span class="none">–</span>';
  const figure = escaped(as === 'effect' ? signed(amount) : grouped(amount));
  const unit = currency == null ? '' : ` <span class="currency"><bdi>${escaped(currency)}</bdi></span>`;
  return toned(linked(`<span class="amount">${figure}${unit}</span>`, href), tone) + noteHtml(note);
}

function countHtml({ count, tone, href }: CountCell): string {
  return toned(linked(count === null ? UNCOUNTED : counted(count), href), tone);
}

function linked(html: string, href: string | undefined): string {
  return href === undefined ? html : `<a href="${escaped(href)}">${html}</a>`;
}

function toned(html: string, names: string | undefined): string {
  return names === undefined ? html : `<span class="${names.trim()}">${html}</span>`;
}

function noteHtml(note: string | undefined): string {
  return note === undefined ? '' : ` <small><bdi>${escaped(note)}</bdi></small>`;
}

/** Text that keeps its line feeds and tabs. */
function lines(text: string): string {
  return printable(text.replaceAll('\r\n', '\n').replaceAll('\t', '    ')).split('\n').map(escaped).join('\n');
}
