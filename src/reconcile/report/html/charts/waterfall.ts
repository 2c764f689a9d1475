import type { Step } from '../../table.ts';
import { grouped, signed } from '../../words.ts';
import { exactScale } from './scale.ts';
import { box, CHARACTER, label, stroke, svg, WIDTH } from './svg.ts';

const NAMES = 112;
const ROW = 22;
const BAR = 13;

/** Balances and what lies between them, one bar a row, from the opening balance down to the closing one. */
export function waterfall(id: string, title: string, steps: readonly Step[]): string {
  const spans = spansOf(steps);
  const words = steps.map(({ amount, as }) => (as === 'balance' ? grouped(amount) : signed(amount)));
  const room = Math.max(...words.map(({ length }) => length), 0) * CHARACTER + 10;
  const scale = exactScale(spans.flat(), [NAMES, WIDTH - room]);
  const height = steps.length * ROW + 4;
  const parts = [stroke('axis', [scale.at(0), 0], [scale.at(0), height])];
  for (const [row, { name, amount, as }] of steps.entries()) {
    const [before, after] = spans[row] ?? [0, 0];
    const top = row * ROW + (ROW - BAR) / 2 + 2;
    const [left, right] = [scale.at(Math.min(before, after)), scale.at(Math.max(before, after))];
    const shown = words[row] ?? '';
    if (row > 0 && as !== 'balance')
      parts.push(stroke('link', [scale.at(before), top - (ROW - BAR)], [scale.at(before), top]));
    // A movement of one kobo beside millions is a hair, but it is there.
    const bar = { x: left, y: top, width: Math.max(right - left, 1), height: BAR };
    parts.push(box(barClass(as, amount), bar, `${name}: ${shown}`));
    parts.push(label('name', 0, top + BAR - 3, name), label('amount end', WIDTH, top + BAR - 3, shown));
  }
  return svg({ id, height, title, parts });
}

function barClass(as: Step['as'], amount: string): string {
  return as === 'movement' ? (amount.startsWith('-') ? 'down' : 'up') : as;
}

/** From where to where each bar goes. */
function spansOf(steps: readonly Step[]): readonly (readonly [number, number])[] {
  let balance = 0;
  return steps.map(({ amount, as }) => {
    const before = as === 'balance' ? 0 : balance;
    balance = before + Number(amount);
    return [before, balance] as const;
  });
}
