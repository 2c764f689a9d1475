import { storeError } from '../engine/failure.ts';
import { quickCheck } from './facts.ts';

/**
 * The background check after an unclean stop, started as `checker PATH`. It reads the whole file in one call into the
 * engine that nothing can interrupt, so it is a process: a stop kills it, however large the file.
 */
const [, , path = ''] = process.argv;
const leave = () => process.exit(1);
process.once('disconnect', leave);
try {
  process.send?.(quickCheck(path));
} catch (error) {
  const failure = storeError(error, path);
  // A file that cannot even be read through is a verdict; anything else only means that the check could not run.
  if (!failure.fatal) throw failure;
  process.send?.([failure.message]);
}
// Not as if the receiver had gone: that would end as a failed check.
process.off('disconnect', leave);
process.disconnect?.();
