import { expect, test, vi } from 'vitest';
import { type LinesFile, LogLines } from '../../../cli/context/log-lines.ts';

test('lines that a full disk refuses are written once they can be, in their order; what had no room is counted once', async () => {
  let isFull = true;
  let written = '';
  const take = (text: Buffer) => {
    if (isFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    const some = text.subarray(0, 100_000);
    written += some.toString();
    return some.length;
  };
  const file: LinesFile = {
    writeSync: take,
    write: (text, done) =>
      setImmediate(() => {
        try {
          done(null, take(text));
        } catch (error) {
          done(error as Error, 0);
        }
      }),
  };
  const lines = new LogLines(file, (count) => `${count} left out\n`);
  const filling = `${'x'.repeat(1023)}\n`;
  for (let n = 0; n < 1_030; n++) lines.write(filling);
  lines.flushSync(); // returns beside a full disk, as at the end of the process
  isFull = false;
  await vi.waitFor(() => expect(written.endsWith(' left out\n')).toBe(true));
  expect([written.length, written.slice(-11)]).toEqual([1024 ** 2 + 11, '6 left out\n']);
  lines.write('next\n');
  lines.flushSync();
  await vi.waitFor(() => expect(written.endsWith('6 left out\nnext\n')).toBe(true));
});
