import { StoreError } from '../error.ts';

/** The temporary files have no room, or no folder. */
export function scratchError(error: unknown): StoreError {
  return new StoreError('other', 'There is no room for the temporary file of the reconciliation.', {
    hint: 'Free space in the folder for temporary files, or name another one in TMPDIR.',
    cause: error,
  });
}
