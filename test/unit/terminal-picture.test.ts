import { expect, test } from 'vitest';
import { terminalPicture } from '../support/terminal-picture.ts';

const texts = (svg: string) =>
  [...svg.matchAll(/<text(?: class="(\w+)")? x="(\d+)" y="([\d.]+)" [^>]*>(.*)<\/text>/g)].map(
    ([, style, x, y, text]) => ({
      style,
      x: Number(x),
      y: Number(y),
      text,
    }),
  );

test('the command stands at the prompt, and the output below it in its columns and colours', () => {
  const [, command, left, right] = texts(terminalPicture('npm run it', 'events   39  \u001b[32magrees\u001b[39m\n'));
  expect(command).toMatchObject({ style: 'bold', text: 'npm run it' });
  expect(left).toMatchObject({ text: 'events', x: 20 });
  expect(right).toMatchObject({ text: '39', x: 20 + 9 * 8 });
  expect(texts(terminalPicture('it', '\u001b[1mNAME\u001b[22m  \u001b[31mno\u001b[39m')).slice(2)).toMatchObject([
    { style: 'bold', text: 'NAME' },
    { style: 'red', text: 'no', x: 20 + 6 * 8 },
  ]);
});

test('a line that is too long goes on at its last column, and no word of it is lost', () => {
  const long = 'one two three four five six seven eight nine ten eleven twelve thirteen';
  const shown = texts(terminalPicture('it', `${'x'.repeat(60)}  ${long}`)).slice(3);
  expect(shown.length).toBeGreaterThan(1);
  expect(new Set(shown.map(({ x }) => x))).toEqual(new Set([20 + 62 * 8]));
  expect(shown.map(({ text }) => text).join(' ')).toBe(long);
  for (const { text = '' } of shown) expect(62 + text.length).toBeLessThanOrEqual(104);
});

test('text is no markup', () => {
  expect(texts(terminalPicture('it', '<b> & "c"')).at(-1)?.text).toBe('&lt;b&gt; &amp; "c"');
});

test('a code that the command line does not write is refused', () => {
  expect(() => terminalPicture('it', '\u001b[5mblink')).toThrow('terminal code 5');
});

test('nothing is fetched from elsewhere', () => {
  expect(terminalPicture('it', 'x')).not.toMatch(/href|src=|url\(|@import|@font-face|<script/);
});
