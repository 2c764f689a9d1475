import { TallyhookError } from '../../domain/error.ts';

export const LIST_FAULTS = ['limit', 'loop', 'repeats', 'short', 'unreadable'] as const;
/**
 * Why a walk along a list did not see all of it: a limit of ours was reached; a page leads back to one that was read; page
 * after page has no new row and announces another; fewer rows came than announced; rows could not be read.
 */
export type ListFault = (typeof LIST_FAULTS)[number];

/**
 * The list was not read to its end, or some rows could not be read. The records given before this error are sound; a record
 * that was not given may still exist.
 */
export class ListIncompleteError extends TallyhookError {
  override readonly name: string = 'ListIncompleteError';
  readonly reason: ListFault;
  /** Number of records given before this error. */
  readonly given: number;

  constructor(
    reason: ListFault,
    given: number,
    detail: string,
    hint = 'A record missing here may still exist: check it by its reference.',
  ) {
    super(`The list is not complete (${reason}): ${detail}. It gave ${given} before that.`, { kind: 'failed', hint });
    this.reason = reason;
    this.given = given;
  }
}

/** A list did not end within its limits. */
export class ListLimitError extends ListIncompleteError {
  override readonly name = 'ListLimitError';
  readonly limit: 'pages' | 'items';
  readonly reached: number;

  constructor(limit: 'pages' | 'items', reached: number, given: number) {
    const option = limit === 'pages' ? 'maxPages' : 'maxItems';
    super('limit', given, `it did not end within ${reached} ${limit}`, `Raise ${option} if the list is longer.`);
    this.limit = limit;
    this.reached = reached;
  }
}
