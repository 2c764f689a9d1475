import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { fork, killGroup, startFor } from '../support/processes.ts';
import { someOf } from '../support/random-runs.ts';
import { hostileWorkbooks } from '../support/statements/hostile-workbooks.ts';
import type { ReadAnswer, ReadHow } from '../support/statements/reading-process.ts';
import { PLAIN, withFile } from '../support/statements/statement.ts';

// Files that would take all memory, or for ever, of a reader that believes them.

const MIB = 1024 * 1024;
/** Of the process while it reads a file; of CSV files a proposal takes the first 8 MiB at once. */
const MOST_BYTES = { xlsx: 300 * MIB, csv: 400 * MIB };
/** What the parts of a workbook that repeat take once unpacked. */
const MEGABYTES = 2;
/** Processor time of one file: several times what it takes. */
const MOST_MS = 5_000 + MEGABYTES * 100;

/** As the process that reads for the statements folder has it. */
const READING_FLAGS = ['--max-old-space-size=192'];

/** What a process may lack of its limit when it begins a file: what it keeps of those before counts for the next. */
const LACKING_BYTES = 160 * MIB;
let child: ChildProcess | null = null;
/** Rejects when the process ends. */
let ended: Promise<never> = new Promise(() => {});
function reader(): ChildProcess {
  if (child !== null) return child;
  const path = new URL('../support/statements/reading-process.ts', import.meta.url);
  child = startFor('file', () => fork(fileURLToPath(path), [], { execArgv: READING_FLAGS }));
  ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The reading process ended with ${code ?? signal}.`);
  });
  ended.catch(() => {}); // also when it is killed between two files
  return child;
}
afterEach(() => {
  if (child === null || freeBytes > LACKING_BYTES) return;
  killGroup(child);
  child = null;
});
let freeBytes = 0;

async function read(how: ReadHow, content: string | Buffer, settings: object = {}, name = 'october.xlsx') {
  return withFile(
    content,
    async (path) => {
      const process = reader();
      const answered = once(process, 'message');
      process.send({ how, path, profile: JSON.stringify({ ...PLAIN, ...settings }) });
      const [answer] = (await Promise.race([answered, ended])) as [ReadAnswer];
      freeBytes = MOST_BYTES[name.endsWith('.csv') ? 'csv' : 'xlsx'] - answer.keptBytes;
      return answer;
    },
    name,
  );
}

function isBounded({ mostBytes, processorMs, isSentence, refused }: ReadAnswer, format: 'csv' | 'xlsx'): void {
  expect(isSentence, String(refused)).toBe(true);
  expect(mostBytes).toBeLessThan(MOST_BYTES[format]);
  expect(processorMs).toBeLessThan(MOST_MS);
}

/** As what else a file is read: the suite takes every fourth so, one after the other, and `npm run test:long` each file as both. */
const OTHERWISE = ['profile', 'exceptions'] as const;
let files = 0;
function otherwise() {
  const turn = files++;
  return someOf(turn % 4 === 0 ? 1 : 0, turn % 8 === 0 ? OTHERWISE : OTHERWISE.toReversed());
}

describe('a workbook', () => {
  test.each(hostileWorkbooks(MEGABYTES))('%s', async (_name, bytes, refused) => {
    const content = bytes();
    const answer = await read('statement', content, { file: { format: 'xlsx' } });
    isBounded(answer, 'xlsx');
    if (refused === null) expect(answer.refused).toBeNull();
    else {
      expect(String(answer.refused)).toMatch(refused);
      if (answer.refused !== null) expect(answer.refused).toMatch(/^october\.xlsx[,:].*\. [A-Z].*\.$/);
    }
    for (const how of otherwise()) isBounded(await read(how, content), 'xlsx');
  });
});

const HEAD = 'Date,Reference,Amount\n';
/** Any of the last 1,000 rows may be none. */
const END = { file: { footer: 1_000 } };
const line = (amount: string) => `2026-10-01,A1,${amount}\n`;

describe('a CSV file', () => {
  test.each([
    ['amounts of 900,000 digits', HEAD + line('9'.repeat(900_000)).repeat(5), {}, null],
    ['amounts of blanks', HEAD + line(`"1${' '.repeat(32_000)}1"`).repeat(50), { number: { negative: 'dr' } }, null],
    ['rows of delimiters', HEAD + `${','.repeat(1_000_000)}\n`.repeat(8), {}, /row 2: has 1000001 cells/],
    ['delimiters without an end', HEAD + ','.repeat(9_000_000), {}, /row 2: has more than 1048576 characters/],
    [
      'long rows that may be the end',
      HEAD + line('9'.repeat(900_000)).repeat(20),
      END,
      /rows above it, which may be the/,
    ],
    ['rows without an end', HEAD + 'x'.repeat(9_000_000), {}, /row 2: has more than 1048576 characters/],
    ['empty rows', HEAD + '\n'.repeat(20_000), {}, null],
    ['a quote without its end', `${HEAD}"${'\n'.repeat(2_000_000)}`, {}, /row 2: has more than 1048576 characters/],
  ])('%s', async (_name, content, settings, refused) => {
    const answer = await read('statement', content, settings, 'october.csv');
    isBounded(answer, 'csv');
    if (refused === null) expect(answer.refused).toBeNull();
    else expect(answer.refused).toMatch(refused);
    for (const how of otherwise()) isBounded(await read(how, content, settings, 'october.csv'), 'csv');
  });
});

test('a profile with 40,000 words', async () => {
  const types = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`w${index}`, 'fee']));
  const columns = { ...PLAIN.columns, type: 'Reference' };
  const answer = await read('statement', HEAD + line('1.00'), { columns, types }, 'october.csv');
  isBounded(answer, 'csv');
  expect(answer.refused).toBeNull();
});
