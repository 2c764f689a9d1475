import type { Bars } from '../../table.ts';
import { exactScale } from './scale.ts';
import { box, CHARACTER, label, stroke, svg, WIDTH } from './svg.ts';

export interface StackedBars extends Bars {
  readonly id: string;
  readonly title: string;
}

const NAMES = 128;
const LEGEND = 24;
const ROW = 22;
const BAR = 14;

/** Bars, a row each, divided into parts. */
export function stackedBars({ id, title, parts: names, colours, rows }: StackedBars): string {
  const sums = rows.map(({ parts }) => parts.reduce((sum, { size }) => sum + size, 0));
  const room = Math.max(...rows.map(({ total }) => total.length), 0) * CHARACTER + 8;
  const scale = exactScale(sums, [NAMES, WIDTH - room]);
  const height = LEGEND + rows.length * ROW + 2;
  const drawn = [...legend(names, colours), stroke('axis', [NAMES, LEGEND], [NAMES, height])];
  for (const [row, { name, parts, total }] of rows.entries()) {
    const top = LEGEND + row * ROW + (ROW - BAR) / 2;
    let before = 0;
    for (const [at, { size, shown }] of parts.entries()) {
      if (size <= 0) continue;
      const [left, right] = [scale.at(before), scale.at(before + size)];
      before += size;
      const part = { x: left, y: top, width: right - left, height: BAR };
      drawn.push(box(`${colours}-${at}`, part, `${name}, ${names[at]}: ${shown}`));
    }
    drawn.push(label('name', 0, top + BAR - 3, name), label('amount', scale.at(before) + 5, top + BAR - 3, total));
  }
  return svg({ id, height, title, parts: drawn });
}

function legend(names: readonly string[], colours: StackedBars['colours']): string[] {
  return names.flatMap((name, at) => {
    const x = at * 90;
    return [box(`${colours}-${at}`, { x, y: 2, width: 10, height: 10 }), label('tick', x + 15, 11, name)];
  });
}
