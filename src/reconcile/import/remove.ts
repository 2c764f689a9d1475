import type { ByPerson } from '../../store/audit.ts';
import type { Removed, Statements } from '../../store/statements.ts';
import type { ImportParts } from './import.ts';

export interface RemovedStatement extends Omit<Removed, 'done'> {
  /** Ended early by the signal: the statement shows no more, and the next import clears away the rest of its lines. */
  readonly stopped: boolean;
}

/** Removes a statement, which shows no more from the first step on; null: there is none, or it was removed before. */
export async function removeStatement(
  order: { readonly statement: number } & ByPerson,
  statements: Pick<Statements, 'remove'>,
  { signal, onProgress }: Pick<ImportParts, 'signal'> & { onProgress?: (lines: number) => void },
): Promise<RemovedStatement | null> {
  let [lines, left, matches] = [0, 0, 0];
  for (;;) {
    const piece = await statements.remove(order);
    if (piece === null) return null;
    lines += piece.lines;
    left += piece.left;
    matches += piece.matches;
    if (piece.done || signal.aborted) return { lines, left, matches, stopped: !piece.done };
    onProgress?.(lines + left);
  }
}
