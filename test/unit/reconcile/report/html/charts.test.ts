import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayColumns, rateLine } from '../../../../../src/reconcile/report/html/charts/by-day.ts';
import { scaleFromZero, scaleOf, shortNumber } from '../../../../../src/reconcile/report/html/charts/scale.ts';
import { stackedBars } from '../../../../../src/reconcile/report/html/charts/stacked-bars.ts';
import { waterfall } from '../../../../../src/reconcile/report/html/charts/waterfall.ts';
import type { DayValue } from '../../../../../src/reconcile/report/table.ts';
import { all, type Element, hasClass, named, readHtml, textOf } from '../../../../support/html.ts';

const number = (element: Element, name: string) => Number(element.attributes.get(name));
const boxes = (svg: string) =>
  named(readHtml(svg), 'rect').map((box) => ({
    class: box.attributes.get('class'),
    left: number(box, 'x'),
    right: number(box, 'x') + number(box, 'width'),
    top: number(box, 'y'),
    height: number(box, 'height'),
    title: textOf(box),
  }));
const days = (...values: (string | null)[]): DayValue[] =>
  values.map((value, at) => ({ day: `2026-10-${String(at + 1).padStart(2, '0')}`, value, shown: value ?? '' }));

describe('waterfall', () => {
  const steps = [
    { name: 'Opening', amount: '100.00', as: 'balance' },
    { name: 'Collections', amount: '300.00', as: 'movement' },
    { name: 'Payouts', amount: '-500.00', as: 'movement' },
    { name: 'Closing by us', amount: '-100.00', as: 'balance' },
    { name: 'Exceptions', amount: '50.00', as: 'gap' },
    { name: 'By statement', amount: '-50.00', as: 'balance' },
  ] as const;
  const bars = boxes(waterfall('w', 'A wallet', steps));

  it('draws each step from where the one before it ended, to one scale', () => {
    const unit = (bars[1]?.right ?? 0) - (bars[1]?.left ?? 0);
    const zero = bars[0]?.left ?? 0;
    const at = (amount: number) => zero + (amount / 300) * unit;
    const ends = [
      [0, 100],
      [100, 400],
      [-100, 400],
      [-100, 0],
      [-100, -50],
      [-50, 0],
    ];
    for (const [index, [left = 0, right = 0]] of ends.entries()) {
      expect(bars[index]?.left).toBeCloseTo(at(left), 0);
      expect(bars[index]?.right).toBeCloseTo(at(right), 0);
    }
  });

  it('says what moves up, what moves down, and what is to be explained', () => {
    expect(bars.map((bar) => bar.class)).toEqual(['balance', 'up', 'down', 'balance', 'gap', 'balance']);
    expect(bars.map((bar) => bar.title)).toEqual([
      'Opening: 100.00',
      'Collections: +300.00',
      'Payouts: −500.00',
      'Closing by us: −100.00',
      'Exceptions: +50.00',
      'By statement: −50.00',
    ]);
  });

  it('shows one kobo beside millions', () => {
    const [, fee] = boxes(
      waterfall('w', 'A wallet', [
        { name: 'Opening', amount: '90000000000000.00', as: 'balance' },
        { name: 'Fees', amount: '-0.01', as: 'movement' },
      ]),
    );
    expect((fee?.right ?? 0) - (fee?.left ?? 0)).toBeCloseTo(1, 1);
  });

  it('stays within its paper, for any amounts', () => {
    const step = fc.record({
      name: fc.string(),
      amount: fc
        .bigInt(-(10n ** 17n), 10n ** 17n)
        .map((minor) => `${minor / 100n}.${String(minor < 0n ? -(minor % 100n) : minor % 100n).padStart(2, '0')}`),
      as: fc.constantFrom('balance', 'movement', 'gap'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (some) => {
        for (const { left, right } of boxes(waterfall('w', 'Any', some))) {
          expect(left).toBeGreaterThanOrEqual(0);
          expect(right).toBeLessThanOrEqual(361);
        }
      }),
      { numRuns: 200, seed: 17 },
    );
  });
});

describe('stacked bars', () => {
  const rows = [
    { name: 'fee_mismatch', parts: [part(3), part(1)], total: '4' },
    { name: 'missing_external', parts: [part(0), part(2)], total: '2' },
  ];
  const drawn = stackedBars({ id: 's', title: 'Exceptions', parts: ['Open', 'Resolved'], colours: 'state', rows });
  const bars = boxes(drawn).slice(2); // behind the legend

  it('divides each bar by its parts, and draws no empty part', () => {
    expect(bars.map(({ title }) => title)).toEqual([
      'fee_mismatch, Open: 3',
      'fee_mismatch, Resolved: 1',
      'missing_external, Resolved: 2',
    ]);
    const [three = 0, one = 0, two = 0] = bars.map(({ left, right }) => right - left);
    expect(three / one).toBeCloseTo(3, 1);
    expect(two / one).toBeCloseTo(2, 1);
    expect(bars[1]?.left).toBeCloseTo(bars[0]?.right ?? 0, 1);
  });

  it('has a legend, names and totals in words', () => {
    const words = named(readHtml(drawn), 'text').map(textOf);
    expect(words).toEqual(['Open', 'Resolved', 'fee_mismatch', '4', 'missing_external', '2']);
  });

  function part(size: number) {
    return { size, shown: String(size) };
  }
});

describe('by day', () => {
  it('draws columns as high as their values', () => {
    const drawn = boxes(dayColumns({ id: 'd', title: 'In transit', days: days('10.00', '40.00', null, '20.00') }));
    const [ten = 0, forty = 0, twenty = 0] = drawn.map(({ height }) => height);
    expect(drawn.length).toBe(3);
    expect(forty / ten).toBeCloseTo(4, 1);
    expect(twenty / ten).toBeCloseTo(2, 1);
    expect(drawn[0]?.title).toBe('2026-10-01: 10.00');
  });

  it('leaves a gap in the line where a day has no rate', () => {
    const drawn = readHtml(rateLine({ id: 'r', title: 'Rate', days: days('99.00', '98.00', null, '100.00') }));
    const [line] = all(drawn, (one) => hasClass(one, 'line'));
    expect(line?.attributes.get('d')?.replace(/[^ML]/g, '')).toBe('MLM');
    const heights = named(drawn, 'circle').map((dot) => number(dot, 'cy'));
    expect(heights[2]).toBeLessThan(heights[0] ?? 0); // 100 stands above 99
    expect(heights[0]).toBeLessThan(heights[1] ?? 0);
  });

  it.each([[[]], [[null]], [['100.00']], [['0.00']], [['-5.00', '5.00']]])('draws %j', (values) => {
    for (const draw of [dayColumns, rateLine]) {
      const drawn = draw({ id: 'd', title: 'Any', days: days(...values) });
      expect(drawn).not.toMatch(/NaN|Infinity|undefined/);
      readHtml(drawn);
    }
  });
});

describe('a scale', () => {
  it('holds every value between round ticks', () => {
    const finite = fc.maxSafeInteger().map((minor) => minor / 100);
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1 }), (values) => {
        for (const { from, to, ticks, at } of [
          scaleFromZero(values, [0, 100]),
          scaleOf(Math.min(...values), Math.max(...values), [0, 100]),
        ]) {
          expect(from).toBeLessThanOrEqual(Math.min(...values));
          expect(to).toBeGreaterThanOrEqual(Math.max(...values));
          expect(ticks.length).toBeGreaterThanOrEqual(2);
          expect(ticks.length).toBeLessThanOrEqual(7);
          for (const value of values) expect(Number.isFinite(at(value))).toBe(true);
        }
      }),
      { numRuns: 500, seed: 17 },
    );
  });

  it.each([
    [0, '0'],
    [950, '950'],
    [-1_500_000, '−1.5M'],
    [250_000, '250k'],
    [2e9, '2B'],
  ])('%d in a few characters', (value, shown) => {
    expect(shortNumber(value)).toBe(shown);
  });
});

it('a hostile title stays text', () => {
  const hostile = '"><script>alert(1)</script>\u202e&amp;';
  const drawn = readHtml(waterfall('w', hostile, [{ name: hostile, amount: '1.00', as: 'balance' }]));
  expect(named(drawn, 'script')).toEqual([]);
  expect(textOf(named(drawn, 'title')[0] as Element)).toBe('"><script>alert(1)</script>\ufffd&amp;');
});
