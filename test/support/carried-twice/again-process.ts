import { differencesOnSecond } from '../shared-log/second-machine.ts';
import { carriedOutAgain } from './again.ts';
import type { Again } from './carried-twice.ts';

// The process that carries out again: one answer to each message, in order.
process.on('message', (writes: Again) => {
  let differences: string[];
  try {
    differences = 'entries' in writes ? differencesOnSecond(writes) : carriedOutAgain(writes);
  } catch (error) {
    differences = [`it cannot be carried out again: ${error instanceof Error ? error.stack : String(error)}`];
  }
  process.send?.(differences);
});
