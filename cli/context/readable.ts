import { TallyhookError } from '../../src/domain/error.ts';
import { StoreError } from '../../src/store/error.ts';

/**
 * Runs `work`, for the commands that watch: a database that cannot be read is what they are to report, so it is a failure (exit
 * code 1), and no mistake of the command line. Where a machine of several has none at all, the command belongs to another one.
 *
 * @throws TallyhookError of kind `failed`, with the StoreError as its cause
 */
export async function whileReadable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isDatabase =
      error instanceof StoreError && error.kind === 'configuration' && error.fault !== 'cluster_refused';
    if (!isDatabase) throw error;
    const { message, hint } = error;
    throw new TallyhookError(message, { kind: 'failed', cause: error, ...(hint !== undefined && { hint }) });
  }
}
