import type { Config } from '../../src/config/load.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { UsageError } from '../options/options.ts';

/** An entry is on every machine that lives within a second; later than this it does not come by itself. */
const LONGEST_WAIT_MS = 10_000;

/**
 * Waits until this machine has carried out the entry of `--at-least`, which another machine's answer named as `seq`.
 *
 * @throws UsageError for another text, and on a machine alone; StoreError after 10 seconds
 */
export async function reachEntry(config: Config, text: string): Promise<void> {
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(
      `--at-least is ${JSON.stringify(text)}: it must be the number of an entry, as \`seq\` of an answer.`,
    );
  const { cluster } = storeOf(config);
  if (cluster === null)
    throw new UsageError(
      '--at-least waits for an entry of the log of several machines, and cluster.url is not set.',
      'Leave it out: on a machine alone a command sees what was written before.',
    );
  await cluster.reached(Number(text), LONGEST_WAIT_MS);
}
