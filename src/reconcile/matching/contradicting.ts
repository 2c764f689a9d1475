import type { RivalFiles } from '../rival-files.ts';
import { rivalText } from './rival-breaks.ts';

/** Files that contradict another one. */
export interface Contradicting {
  readonly files: number;
  /** The first of them, as clauses. */
  readonly named: readonly string[];
}

export const NONE_CONTRADICTING: Contradicting = { files: 0, named: [] };

/** Files that a sentence names. */
const MOST_NAMED = 10;

/** Pure. A pair of which one file goes on from the other contradicts nothing. */
export function contradictingWith({ files, named }: Contradicting, rivals: readonly RivalFiles[]): Contradicting {
  const more = rivals.filter(({ rivalry }) => rivalry.how !== 'repeating');
  const free = Math.max(MOST_NAMED - named.length, 0);
  return { files: files + more.length, named: [...named, ...more.slice(0, free).map(rivalText)] };
}

/** Null: there is none. */
export function contradictingText({ files, named }: Contradicting): string | null {
  if (files === 0) return null;
  const rest = files - named.length;
  return [...named, ...(rest === 0 ? [] : [`and ${rest} more ${rest === 1 ? 'file' : 'files'}`])].join('; ');
}
