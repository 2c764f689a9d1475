import type { BookOrder } from '../../pruning.ts';

/** One pass over all that is old enough: every turn is one short piece, and returns how much it erased or found. */
export type BookPass = Generator<number, void, void>;

/** What a pass erases, by whom, and the time of its present turn. */
export interface BookTurn extends BookOrder {
  readonly by: string;
  nowMs: number;
}

export interface BookPruner {
  survey(order: BookOrder): BookPass;
  prune(turn: BookTurn): BookPass;
}

/** What entries of a pass are about: the days before this one. */
export function bookSubject({ beforeDay }: BookOrder): string {
  return `prune:${beforeDay}`;
}
