import { money } from '../money/amount.ts';
import type { TheirLine } from './rows.ts';

/**
 * Names a line as a candidate: `1:20 2026-10-12 6500.00 NGN`, with its statement and row as `--line` takes them. Statement and row
 * depend on the files that brought the line, so reasons and evidence leave them out (`candidateName`).
 */
export function lineCandidate({ statement, row, date, amount, currency }: TheirLine): string {
  return `${statement}:${row} ${date} ${money(amount)} ${currency}`;
}

/** Returns a candidate without statement and row: the same in every file that brings the line. A reference of ours stays as it is. */
export function candidateName(candidate: string): string {
  return candidate.replace(/^\d+:\d+ (?=\d{4}-\d{2}-\d{2} \S+ [A-Z]{3}$)/, '');
}
