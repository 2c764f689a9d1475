import type { DayValue } from '../../table.ts';
import { monthName } from '../../words.ts';
import { type Scale, scaleFromZero, scaleOf, shortNumber } from './scale.ts';
import { box, dot, label, place, stroke, svg, WIDTH } from './svg.ts';

// Charts over the days of a period.

export interface DayChart {
  readonly id: string;
  readonly title: string;
  readonly days: readonly DayValue[];
}

const LEFT = 46;
const TOP = 8;
const BOTTOM = 120;
const HEIGHT = 140;

/** A column a day, from 0. */
export function dayColumns({ id, title, days }: DayChart): string {
  const scale = scaleFromZero(valuesOf(days), [BOTTOM, TOP], 3);
  const room = (WIDTH - LEFT) / Math.max(days.length, 1);
  const parts = grid(scale, shortNumber);
  for (const [at, { day, value, shown }] of days.entries()) {
    if (value === null) continue;
    const [zero, end] = [scale.at(0), scale.at(Number(value))];
    const column = { x: LEFT + at * room + room * 0.15, width: room * 0.7 };
    const name = value.startsWith('-') ? 'down' : 'column';
    parts.push(box(name, { ...column, y: Math.min(zero, end), height: Math.abs(zero - end) }, `${day}: ${shown}`));
  }
  parts.push(stroke('axis', [LEFT, scale.at(0)], [WIDTH, scale.at(0)]), ...dayNames(days));
  return svg({ id, height: HEIGHT, title, parts });
}

/** Per cents as a line, a gap where a day has none. The scale begins where the lowest is, because all are near 100. */
export function rateLine({ id, title, days }: DayChart): string {
  const values = valuesOf(days);
  const lowest = Math.min(100, ...values);
  const scale = scaleOf(lowest === 100 ? 90 : lowest, 100, [BOTTOM, TOP], 3);
  const parts = [...grid(scale, (value) => `${value}%`), stroke('axis', [LEFT, BOTTOM], [WIDTH, BOTTOM])];
  return svg({ id, height: HEIGHT, title, parts: [...parts, ...line('line', days, scale), ...dayNames(days)] });
}

export interface DayLines {
  readonly id: string;
  readonly title: string;
  /** At most three, over the same days. */
  readonly lines: readonly { readonly name: string; readonly days: readonly DayValue[] }[];
  /** A tick of the scale: `20 ms`. */
  readonly shown: (value: number) => string;
}

/** Several lines from 0, a gap where a day has none. */
export function dayLines({ id, title, lines, shown }: DayLines): string {
  const legend = 20;
  const scale = scaleFromZero(
    lines.flatMap(({ days }) => valuesOf(days)),
    [BOTTOM, TOP + legend],
    3,
  );
  const drawn = lines.flatMap(({ name, days }, at) => {
    const x = LEFT + at * 60;
    const key = [stroke(`line line-${at}`, [x, TOP], [x + 18, TOP]), label('tick', x + 23, TOP + 4, name)];
    return [...key, ...line(`line line-${at}`, days, scale, name)];
  });
  const parts = [...grid(scale, shown), stroke('axis', [LEFT, BOTTOM], [WIDTH, BOTTOM]), ...drawn];
  return svg({ id, height: HEIGHT, title, parts: [...parts, ...dayNames(lines[0]?.days ?? [])] });
}

/** A line with a point for each day that has a value. */
function line(classes: string, days: readonly DayValue[], scale: Scale, name?: string): string[] {
  const room = (WIDTH - LEFT) / Math.max(days.length, 1);
  const across = (at: number) => LEFT + (at + 0.5) * room;
  let path = '';
  for (const [at, { value }] of days.entries()) {
    if (value === null) continue;
    const joins = at > 0 && days[at - 1]?.value != null;
    path += `${joins ? 'L' : 'M'}${place(across(at))} ${place(scale.at(Number(value)))}`;
  }
  const of = name === undefined ? '' : `${name}, `;
  const points = days.flatMap(({ day, value, shown }, at) =>
    value === null ? [] : [dot('point', across(at), scale.at(Number(value)), `${of}${day}: ${shown}`)],
  );
  return path === '' ? points : [`<path class="${classes}" d="${path}"/>`, ...points];
}

function valuesOf(days: readonly DayValue[]): number[] {
  return days.flatMap(({ value }) => (value === null ? [] : [Number(value)]));
}

function grid(scale: Scale, shown: (value: number) => string): string[] {
  return scale.ticks.flatMap((value) => {
    const y = scale.at(value);
    return [stroke('grid', [LEFT, y], [WIDTH, y]), label('tick end', LEFT - 5, y + 4, shown(value))];
  });
}

/** The first, the middle and the last day: `3 Oct`. */
function dayNames(days: readonly DayValue[]): string[] {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const named = [label('tick', LEFT, HEIGHT - 6, shortDay(first.day))];
  const middle = Math.floor((days.length - 1) / 2);
  if (days.length > 8) {
    const x = LEFT + ((middle + 0.5) / days.length) * (WIDTH - LEFT);
    named.push(label('tick middle', x, HEIGHT - 6, shortDay(days[middle]?.day ?? '')));
  }
  if (days.length > 1) named.push(label('tick end', WIDTH, HEIGHT - 6, shortDay(last.day)));
  return named;
}

/** `2026-10-03` as `3 Oct` */
export function shortDay(day: string): string {
  const [, month = '', date] = day.split('-');
  const name = monthName(month)?.slice(0, 3);
  return name === undefined || date === undefined ? day : `${Number(date)} ${name}`;
}
