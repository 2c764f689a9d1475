import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits for a piece of writing, and after it as long as it took: pieces that follow each other at once would keep the database from the
 * receiver, which waits for its turn in pauses of up to 100 ms.
 */
export async function rested<Result>(piece: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now();
  const result = await piece();
  await delay(performance.now() - startedMs);
  return result;
}
