import { carriedOutAgain, type Recorded } from './again.ts';

// The process that carries out again: one answer to each message, in order.
process.on('message', (recorded: Recorded) => {
  let differences: string[];
  try {
    differences = carriedOutAgain(recorded);
  } catch (error) {
    differences = [`it cannot be carried out again: ${error instanceof Error ? error.stack : String(error)}`];
  }
  process.send?.(differences);
});
