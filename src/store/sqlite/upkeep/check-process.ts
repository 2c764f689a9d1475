import { storeError } from '../engine/failure.ts';
import { quickCheck } from './quick-check.ts';

/**
 * The background check after an unclean stop, started as `check-process PATH`. One engine call reads the whole file and
 * cannot be interrupted; a process can be killed by a stop, however large the file.
 */
const [, , path = ''] = process.argv;
const leave = () => process.exit(1);
process.once('disconnect', leave);
try {
  process.send?.(quickCheck(path));
} catch (error) {
  const failure = storeError(error, path);
  // A file that cannot be read to its end is damaged; any other error means that the check could not run.
  if (!failure.fatal) throw failure;
  process.send?.([failure.message]);
}
// Without this the disconnect below would end the process with the code of a failed check.
process.off('disconnect', leave);
process.disconnect?.();
