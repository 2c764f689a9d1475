import { expect, test } from 'vitest';
import { ERROR_KINDS, EXIT_CODE, HTTP_STATUS, TallyhookError } from '../../../src/domain/error.ts';

test.each(ERROR_KINDS)(
  '%s has an exit code that is neither "done" nor "differences found", and an HTTP error status',
  (kind) => {
    expect([1, 2]).toContain(EXIT_CODE[kind]);
    expect(HTTP_STATUS[kind]).toBeGreaterThanOrEqual(400);
  },
);

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
