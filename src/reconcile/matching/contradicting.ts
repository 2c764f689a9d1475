import type { RivalFiles } from '../rival-files.ts';
import { rivalText } from './rival-breaks.ts';

/** Pairs of files that contradict each other. */
export interface Contradicting {
  readonly pairs: number;
  /** The first of them, as clauses. */
  readonly named: readonly string[];
}

export const NONE_CONTRADICTING: Contradicting = { pairs: 0, named: [] };

/** Pairs that a sentence names: 400 exports of one day are 79,800 pairs. */
const MOST_NAMED = 10;

/** Pure. A pair of which one file goes on from the other contradicts nothing. */
export function contradictingWith({ pairs, named }: Contradicting, rivals: readonly RivalFiles[]): Contradicting {
  const more = rivals.filter(({ rivalry }) => rivalry.how !== 'repeating');
  const free = Math.max(MOST_NAMED - named.length, 0);
  return { pairs: pairs + more.length, named: [...named, ...more.slice(0, free).map(rivalText)] };
}

/** Null: there is none. */
export function contradictingText({ pairs, named }: Contradicting): string | null {
  if (pairs === 0) return null;
  const rest = pairs - named.length;
  return [...named, ...(rest === 0 ? [] : [`and ${rest} more ${rest === 1 ? 'pair' : 'pairs'}`])].join('; ');
}
