import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { isGone, isThere, thisMachine } from '../../../src/store/this-machine.ts';
import { spawn } from '../../support/processes.ts';

test('a process that ended is gone, although its parent has not taken note of it', async () => {
  // The shell starts a child, which ends with its input, and becomes `cat`, which waits for no child.
  const parent = spawn('sh', ['-c', 'read line <&3 & echo $!; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  });
  const [input, output, , childInput] = parent.stdio as unknown as [Writable, Readable, null, Writable];
  const [printed] = await once(output, 'data');
  const pid = Number(String(printed));
  input.write('cat runs\n');
  await once(output, 'data');
  const seen = () => [isGone(thisMachine(), pid), isThere(thisMachine(), pid), isGone('another machine', pid)];
  expect(seen()).toEqual([false, true, false]);
  childInput.end();
  await vi.waitFor(() => expect(seen()).toEqual([true, false, false]), { timeout: 60_000, interval: 5 });
  expect(() => process.kill(pid, 0)).not.toThrow(); // it is still listed
});
