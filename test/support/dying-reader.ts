import { basename } from 'node:path';
import type { FromReading, ToReading } from '../../src/jobs/reading.ts';

/*
 * The process that reads for the statements folder, with files that end it: `bomb` takes all memory once its import has begun, `killed`
 * is killed from outside, and `silent` never ends.
 */

const keep: unknown[] = [];
let name = '';

process.on('message', (message: ToReading) => {
  if (message.type !== 'try') return;
  name = basename(message.file.path, '.csv');
  if (name === 'killed') process.kill(process.pid, 'SIGKILL');
  while (name === 'silent');
});

const send = process.send?.bind(process);
process.send = (message: FromReading, ...more: never[]) => {
  if (name === 'bomb' && message.type === 'begun') {
    send?.(message, undefined, undefined, () => {
      for (;;) keep.push(Array.from({ length: 1_000_000 }, (_, index) => ({ index })));
    });
    return true;
  }
  return send?.(message, ...more) ?? false;
};

await import('../../src/jobs/reading-process.ts');
