import { escaped } from '../text.ts';

/*
 * Plain SVG as text. Colours are classes of the page's style sheet, so that a chart is light, dark or printed with it. A chart
 * is drawn for a width of 360 units: a telephone shows them a little smaller, a desk a little larger, and text stays readable.
 * Amounts become numbers to place a line on the paper; figures in words never do.
 */

export const WIDTH = 360;
/** The widest character of a chart's text, so that room can be kept for a figure. */
export const CHARACTER = 6.7;

export interface Drawing {
  /** Unique on the page. */
  readonly id: string;
  readonly height: number;
  /** What the chart shows, for those who do not see it; its figures are in the table beside it. */
  readonly title: string;
  readonly parts: readonly string[];
}

export function svg({ id, height, title, parts }: Drawing): string {
  const label = `${id}-title`;
  return (
    `<svg class="chart" viewBox="0 0 ${WIDTH} ${place(height)}" role="img" aria-labelledby="${escaped(label)}">` +
    `<title id="${escaped(label)}">${escaped(title)}</title>${parts.join('')}</svg>`
  );
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function box(name: string, { x, y, width, height }: Box, hover?: string): string {
  const frame = `<rect class="${name}" x="${place(x)}" y="${place(y)}" width="${place(width)}" height="${place(height)}"`;
  return hover === undefined ? `${frame}/>` : `${frame}><title>${escaped(hover)}</title></rect>`;
}

export function stroke(name: string, from: readonly [number, number], to: readonly [number, number]): string {
  return `<path class="${name}" d="M${place(from[0])} ${place(from[1])}L${place(to[0])} ${place(to[1])}"/>`;
}

/** `name` may hold several classes; `end` and `middle` say where the text is anchored. */
export function label(name: string, x: number, y: number, text: string): string {
  return `<text class="${name}" x="${place(x)}" y="${place(y)}">${escaped(text)}</text>`;
}

export function dot(name: string, x: number, y: number, hover: string): string {
  return `<circle class="${name}" cx="${place(x)}" cy="${place(y)}" r="2.5"><title>${escaped(hover)}</title></circle>`;
}

/** A coordinate: one decimal is a tenth of a pixel, and the same text on every machine. */
export function place(coordinate: number): string {
  return String(Math.round(coordinate * 10) / 10 + 0); // + 0: no "-0"
}
