import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ACTIVE_ON_TERMINAL, OnTerminal } from '../support/on-terminal.ts';
import { someOf } from '../support/random-runs.ts';
import { delivery, TestDatabase } from '../support/test-database.ts';

// Text from outside that reaches a real terminal through each kind of output.

/** C0 without NUL and line ends, DEL, C1, bidirectional controls. */
const HOSTILE = String.fromCharCode(
  ...[...Array(0x20).keys()].filter((code) => ![0, 0x0a, 0x0d].includes(code)),
  ...Array.from({ length: 0x21 }, (_, index) => 0x7f + index),
  ...[0x061c, 0x200e, 0x200f, 0x2028, 0x202a, 0x202e, 0x2066, 0x2069, 0xfeff],
);
const EVENT = `begin${HOSTILE}end`;
const SHOWN = `begin${'\ufffd'.repeat(HOSTILE.length)}end`;

let db: TestDatabase;
let terminal: OnTerminal | undefined;
beforeAll(() => {
  db = new TestDatabase();
  const data = { reference: `R${HOSTILE}`, note: HOSTILE };
  db.keepAndApply(delivery({ event: EVENT, data }));
});
afterAll(() => db.remove());
afterEach(() => terminal?.kill());

async function shownBy(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const variables = { TALLYHOOK_DATABASE: db.path, NO_COLOR: '1', TERM: 'dumb', ...env };
  terminal = new OnTerminal(args, { cwd: db.folder, env: variables, stdout: 'terminal' });
  await terminal.ended();
  return terminal.shown;
}

test.each(
  someOf<[string, string[], string]>(4, [
    ['facts and a body', ['events', 'show', '1'], SHOWN],
    ['CSV', ['events', 'export', '--format', 'csv'], `"${SHOWN}"`],
    ['an expression of a query', ['sql', 'SELECT event || 1 AS again FROM events'], `${SHOWN}1`],
    ['an unknown reference', ['why', EVENT], 'begin'],
    ['a table', ['events', 'list'], SHOWN],
    ['a query', ['sql', 'SELECT event FROM events'], SHOWN],
    ['an unknown command', [EVENT], 'begin'],
  ]),
)('%s shows every control character as U+FFFD', { tags: ['script'] }, async (_what, args, expected) => {
  const shown = await shownBy(args);
  expect(shown).not.toMatch(ACTIVE_ON_TERMINAL);
  expect(shown).toContain(expected);
});

test.each(
  someOf<[string, string[]]>(2, [
    ['JSON', ['events', 'show', '1', '--json']],
    ['lines of JSON', ['events', 'export']],
    ['JSON of a query', ['sql', 'SELECT event FROM events', '--json']],
  ]),
)('%s has them escaped, and parses to the exact text', { tags: ['script'] }, async (_what, args) => {
  const shown = await shownBy(args);
  expect(shown).not.toMatch(ACTIVE_ON_TERMINAL);
  const json = shown.slice(shown.indexOf('{'), shown.lastIndexOf('}') + 1);
  const texts: unknown[] = [];
  JSON.parse(json, (_name, value) => {
    texts.push(value);
    return value;
  });
  expect(texts).toContain(EVENT);
});
