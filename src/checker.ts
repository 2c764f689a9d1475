import { parentPort, workerData } from 'node:worker_threads';
import { storeError } from './store/sqlite/failure.ts';
import { quickCheck } from './store/sqlite/quick-check.ts';

/** The background check after an unclean stop, in a thread of its own: it reads the whole file. */
const path: string = workerData;
try {
  parentPort?.postMessage(quickCheck(path));
} catch (error) {
  const failure = storeError(error, path);
  // A file that cannot even be read through is a verdict; anything else only means that the check could not run.
  if (!failure.fatal) throw failure;
  parentPort?.postMessage([failure.message]);
}
