import { refuseControl } from '../wire/refusal.ts';
import { formatMoney, MINOR, type Money } from '../world/money.ts';
import type { DateForm, NumberForm } from './dialect.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A day (`yyyy-MM-dd`) in the form of a dialect. */
export function dayText(day: string, form: DateForm): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return form
    .replace('yyyy', year)
    .replace('MMM', MONTHS[Number(month) - 1] ?? '')
    .replace('MM', month)
    .replace('dd', date);
}

/** An amount in the form of a dialect. Throws 422 for parts of a minor unit in a dialect of whole minor units. */
export function amountText(amount: Money, { decimal, group, unit, negative }: NumberForm): string {
  const below = amount < 0n;
  const magnitude = below ? -amount : amount;
  const text = unit === 'minor' ? minorText(magnitude) : majorText(magnitude, decimal, group);
  if (!below) return text;
  return { minus: `-${text}`, parentheses: `(${text})`, trailing: `${text}-` }[negative];
}

function minorText(magnitude: Money): string {
  if (magnitude % MINOR === 0n) return String(magnitude / MINOR);
  throw refuseControl(
    422,
    `An amount of ${formatMoney(magnitude)} is no whole number of minor units`,
    'Choose another dialect: this one writes minor units.',
  );
}

function majorText(magnitude: Money, decimal: string, group: string): string {
  const [whole = '', fraction = ''] = formatMoney(magnitude).split('.');
  return whole.replace(/\B(?=(\d{3})+$)/g, group) + decimal + fraction;
}

/** An amount as the double of a spreadsheet. Throws 422 where its 15 digits cannot hold it. */
export function amountNumber(amount: Money): number {
  const text = formatMoney(amount);
  if (text.replace(/^-?0*|\./g, '').replace(/0+$/, '').length <= 15) return Number(text);
  throw refuseControl(
    422,
    `An amount of ${text} has more digits than a spreadsheet keeps`,
    'Choose another dialect: a spreadsheet keeps 15 digits.',
  );
}
