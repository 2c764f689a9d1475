import { Readable } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { readCard } from '../../../../../cli/commands/collections/card-input.ts';
import { UsageError } from '../../../../../cli/options/options.ts';

// Card details from a pipe. What a person types at a terminal is in test/integration/cli-prompts.test.ts.

afterEach(() => {
  vi.restoreAllMocks();
});

/** Puts `input` on stdin, in pieces as a pipe brings them. */
function pipe(...input: readonly string[]): void {
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from(input) as typeof process.stdin);
}

const CARD = { number: '4000000000000002', expiryMonth: '12', expiryYear: '30', cvv: '123' };

test.each([
  ['four lines', '4000000000000002\n12\n30\n123\n'],
  ['no line end behind the last', '4000000000000002\n12\n30\n123'],
  ['line ends of Windows', '4000000000000002\r\n12\r\n30\r\n123\r\n'],
  ['empty lines and spaces', '\n  4000000000000002 \n\n12\n \n30\t\n123\n\n'],
])('four fields are read in their order: %s', async (_name, input) => {
  pipe(input);
  expect(await readCard('test')).toEqual(CARD);
});

test('a line may arrive in two pieces', async () => {
  pipe('40000000', '00000002\n1', '2\n30\n123\n');
  expect(await readCard('test')).toEqual(CARD);
});

test.each([
  ['nothing', '', 0],
  ['three lines', '4000000000000002\n12\n30\n', 3],
  ['five lines', '4000000000000002\n12\n30\n123\nAda\n', 5],
  ['all on one line', '4000000000000002 12 30 123', 1],
])('%s is refused with the number of lines, and no card number is repeated', async (_name, input, lines) => {
  pipe(input);
  const refused = await readCard('test').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UsageError);
  expect((refused as UsageError).message).toBe(
    `stdin has ${lines} lines of card details; 4 are needed: number, month, year, code.`,
  );
});

test('in live the payload is one text, without the white space around it', async () => {
  pipe('  0a1b', '2c3d\r\n');
  expect(await readCard('live')).toBe('0a1b2c3d');
});

test.each(['', ' \n', '\r\n\t'])('in live an empty payload is refused: %j', async (input) => {
  pipe(input);
  await expect(readCard('live')).rejects.toThrow(new UsageError('The encrypted card payload is empty.'));
});
