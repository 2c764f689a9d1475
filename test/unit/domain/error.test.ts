import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERROR_KINDS, type ErrorKind, EXIT_CODE, HTTP_STATUS, TallyhookError } from '../../../src/domain/error.ts';
import { packageFile } from '../../../src/package-root.ts';

/** Each kind of error, with its exit code of docs/cli.md and the HTTP status that says whose fault it is. */
const ANSWERS = [
  ['usage', 2, 400],
  ['configuration', 2, 500],
  ['unauthorized', 1, 401],
  ['not_found', 1, 404],
  ['unavailable', 1, 503],
  ['unusable', 2, 503],
  ['corrupt', 1, 500],
  ['failed', 1, 500],
] as const satisfies readonly (readonly [ErrorKind, number, number])[];

test.each(ANSWERS)('an error of kind %s ends a command with %i and answers a request with %i', (kind, code, status) => {
  expect([EXIT_CODE[kind], HTTP_STATUS[kind]]).toEqual([code, status]);
});

test('every kind has its answers, and its exit code says in docs/cli.md that the command failed or was wrong', () => {
  expect(ANSWERS.map(([kind]) => kind)).toEqual([...ERROR_KINDS]);
  const [, table = ''] =
    /## Exit codes\n([\s\S]*?)\n\nAn error/.exec(readFileSync(packageFile('docs/cli.md'), 'utf8')) ?? [];
  const documented = Object.fromEntries(table.matchAll(/^\| (\d) \| (\w+)/gm).map(([, code, word]) => [code, word]));
  expect(documented).toEqual({ 0: 'done', 1: 'failed', 2: 'wrong', 3: 'done' });
});

test('an error keeps its kind, its hint and its cause', () => {
  const cause = new Error('below');
  const error = new TallyhookError('it failed', { kind: 'failed', hint: 'try again', cause });
  expect(error).toMatchObject({
    name: 'TallyhookError',
    message: 'it failed',
    kind: 'failed',
    hint: 'try again',
    cause,
  });
  expect('cause' in new TallyhookError('it failed', { kind: 'failed' })).toBe(false);
});
