import { expect, test } from 'vitest';
import { instantOf, lengthOption } from '../../../../cli/options/when.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00Z');
const shown = (text: string, option: 'since' | 'until') => new Date(instantOf(text, option, NOW_MS)).toISOString();

test.each([
  ['90s', '2026-11-20T11:58:30.000Z'],
  ['30m', '2026-11-20T11:30:00.000Z'],
  ['2h', '2026-11-20T10:00:00.000Z'],
  ['7d', '2026-11-13T12:00:00.000Z'],
  ['2w', '2026-11-06T12:00:00.000Z'],
  ['2026-11-19', '2026-11-19T00:00:00.000Z'],
  ['2026-11-19T10:00:00+01:00', '2026-11-19T09:00:00.000Z'],
  ['2026-11-19T10:00:00.5Z', '2026-11-19T10:00:00.500Z'],
])('%s since then', (text, expected) => {
  expect(shown(text, 'since')).toBe(expected);
});

test('a date as until includes that whole day', () => {
  expect(shown('2026-11-19', 'until')).toBe('2026-11-20T00:00:00.000Z');
  expect(shown('2h', 'until')).toBe('2026-11-20T10:00:00.000Z');
});

test.each(['', 'yesterday', '2', '2y', '-2h', '2026-02-30', '2026-11-20T10:00:00', '2026-11-20 10:00', '9999999d'])(
  'refused with the forms that work: %j',
  (text) => {
    expect(() => instantOf(text, 'since', NOW_MS)).toThrow(
      expect.objectContaining({ kind: 'usage', hint: expect.stringMatching(/ISO time with offset/) }),
    );
  },
);

test('lengths of time, and text that is refused', () => {
  const { coerce } = lengthOption('older', { standard: '24h', describe: '' });
  expect(['90s', '24h', '7d', '0d'].map(coerce)).toEqual([90_000, 86_400_000, 604_800_000, 0]);
  for (const text of ['', '24', '1.5h', '-1h', '24 h', '2026-11-20']) {
    expect(() => coerce(text)).toThrow(/^--older is ".*": it (must be a length of time such as|needs a unit)/);
  }
});
