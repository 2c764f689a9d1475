import { MOST_ASKED_ROWS } from '../../src/store/approvals.ts';
import { StoreError } from '../../src/store/error.ts';

/** Enters that rows are shown whole, before they are: `revealing` of the arguments of a command, where there are users (permission.ts). */
export interface Revealing {
  /** Whether a second person may be needed: then all rows are named at once. */
  readonly isBounded: boolean;
  /** @throws StoreError `not_proven`, `not_allowed`, `not_approved`; CommandEndedError when it was asked for instead */
  readonly rows: (keys: readonly string[]) => Promise<void>;
}

/** The arguments of a command that may show rows whole. */
export interface RevealingArguments {
  readonly revealing?: Revealing;
}

/** The pages of a list, whose rows are entered before they are given on. `keyOf`: how the audit names a row. */
export async function* revealed<Row, End>(
  pages: AsyncGenerator<readonly Row[], End, undefined>,
  { rows, isBounded }: Revealing,
  keyOf: (row: Row) => string,
): AsyncGenerator<readonly Row[], End, undefined> {
  const all: Row[] = [];
  for (;;) {
    const { value, done } = await pages.next();
    if (done) {
      await rows(all.map(keyOf));
      if (all.length > 0) yield all;
      return value;
    }
    if (isBounded) {
      all.push(...value);
      expectFew(all.length);
    } else {
      await rows(value.map(keyOf));
      yield value;
    }
  }
}

/** @throws StoreError when one request cannot hold so many rows */
export function expectFew(rows: number): void {
  if (rows <= MOST_ASKED_ROWS) return;
  throw new StoreError('not_approved', `More rows than the ${MOST_ASKED_ROWS} that two persons can look through.`, {
    hint: 'Show fewer: --limit, or a narrower filter.',
  });
}
