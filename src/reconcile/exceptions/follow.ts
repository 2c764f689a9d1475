import type { ExceptionArchive, Exceptions } from '../../store/exceptions.ts';

/**
 * Brings the queue of exceptions in line with every whole run. A run that was killed before is followed to its end; two
 * processes at once share the pieces.
 */
export async function followRuns(exceptions: Pick<Exceptions, 'follow'>): Promise<void> {
  while (!(await exceptions.follow()).done);
}

/** The same, where the queue is behind: opens what writes only then. */
export async function followIfBehind(
  archive: Pick<ExceptionArchive, 'isFollowing'>,
  open: () => Promise<{ readonly exceptions: Pick<Exceptions, 'follow'>; readonly close: () => Promise<void> }>,
): Promise<void> {
  if (!(await archive.isFollowing())) return;
  const operations = await open();
  try {
    await followRuns(operations.exceptions);
  } finally {
    await operations.close();
  }
}
