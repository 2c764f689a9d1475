import { TallyhookError } from '../../domain/error.ts';

export const LIST_FAULTS = ['limit', 'loop', 'repeats', 'short', 'unreadable'] as const;
/**
 * Why a walk along a list did not see all of it: a limit of ours was reached; a page leads back to one that was read;
 * page after page brings nothing new and announces another; fewer rows came than the list says it has; rows could not
 * be read.
 */
export type ListFault = (typeof LIST_FAULTS)[number];

/**
 * The list was not read to its end, or not all of it could be read. What came before this error is sound; what did not
 * come says nothing, above all not that it is absent.
 */
export class ListIncompleteError extends TallyhookError {
  override readonly name: string = 'ListIncompleteError';
  readonly reason: ListFault;
  /** How many records were given before. */
  readonly given: number;

  constructor(
    reason: ListFault,
    given: number,
    detail: string,
    hint = 'What is missing here may still exist: ask for it by its reference.',
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
    super('limit', given, `it did not end within ${reached} ${limit}`, `Raise ${option} if it really is that long.`);
    this.limit = limit;
    this.reached = reached;
  }
}
