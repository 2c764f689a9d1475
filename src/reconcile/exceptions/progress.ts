import { isUnresolved } from '../../domain/exceptions/overdue.ts';
import type { Item } from '../../domain/reconciling/break.ts';
import type { ExceptionArchive, ExceptionProgress } from '../../store/exceptions.ts';
import { itemId } from '../recon-break.ts';

type Progress = Pick<ExceptionArchive, 'exceptionProgress'>;

/** Exceptions read at once. */
const AT_ONCE = 500;

/** How the exceptions of breaks stand, by their ids; breaks without one are missing. */
export async function progressOf(
  archive: Progress,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ExceptionProgress>> {
  const found = new Map<string, ExceptionProgress>();
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    for (const one of await archive.exceptionProgress(ids.slice(start, start + AT_ONCE))) found.set(one.id, one);
  }
  return found;
}

/** Number of unresolved breaks, up to `most`. A break without an exception is one of them. */
export async function countUnresolved(
  archive: Progress,
  { breaks }: { readonly breaks: readonly Item[] },
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  let count = 0;
  for (let start = 0; start < breaks.length && count < most; start += AT_ONCE) {
    const ids = breaks.slice(start, start + AT_ONCE).map(itemId);
    const progress = await progressOf(archive, ids);
    count += ids.filter((id) => isOpen(progress.get(id))).length;
  }
  return count;
}

function isOpen(progress: ExceptionProgress | undefined): boolean {
  return progress === undefined || progress.status === 'closed' || isUnresolved(progress);
}
