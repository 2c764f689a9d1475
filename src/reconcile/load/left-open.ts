import type { Environment } from '../../domain/environment.ts';
import type { Item } from '../../domain/reconciling/break.ts';
import { dayPlus } from '../../domain/reconciling/business-day.ts';
import { isOfFile } from '../../domain/reconciling/codes.ts';
import type { Cursor } from '../../store/cursor.ts';
import type { Exception, ExceptionArchive, ExceptionFilter } from '../../store/exceptions.ts';
import type { MatchingScope } from '../../store/reconciliation.ts';
import type { JudgedNames } from '../../store/scratch/late-rows.ts';
import type { StatementSummary } from '../../store/statements.ts';
import { lineKey, type Members, rowKey } from './bases.ts';
import { frozenItem } from './frozen-files.ts';
import type { Openings } from './openings.ts';
import type { Span } from './order.ts';

/*
 * What runs of earlier days left open in an account that opens with the statement's own balance: that has it on both sides, so it is in no
 * sum, and no earlier day is looked at for it. What stands in the queue of exceptions is judged again, and listed while it is open.
 */
export class LeftOpen {
  readonly #exceptions: readonly Exception[];
  readonly #members: ReadonlySet<string>;
  readonly #ended = new Set<string>();

  private constructor(exceptions: readonly Exception[]) {
    this.#exceptions = exceptions;
    this.#members = new Set(exceptions.flatMap(membersOf));
  }

  static async read(
    archive: Pick<ExceptionArchive, 'exceptions'>,
    { order: { from, environment } }: Span,
    { openings, statements }: { readonly openings: Openings; readonly statements: readonly StatementSummary[] },
  ): Promise<LeftOpen> {
    const exceptions: Exception[] = [];
    const isStated = ({ account: { environment, name: account }, balances }: StatementSummary) =>
      balances.some(({ currency }) => openings.since({ environment, account, currency }) === null);
    if (!statements.some(isStated)) return new LeftOpen(exceptions);
    for await (const one of openFromBefore(archive, { environment, from })) {
      const { account, currency } = one;
      if (account === null || currency === null) continue;
      if (openings.since({ environment: one.environment, account, currency }) === null) exceptions.push(one);
    }
    return new LeftOpen(exceptions);
  }

  /** Whether some of these rows of ours and lines was left open. */
  has({ ours, lines }: Members): boolean {
    return [...ours, ...lines].some((name) => this.#members.has(name));
  }

  /** Notes that these rows of ours and lines are open from before no more: the period has them otherwise, or they agree. */
  end({ ours, lines }: Members): void {
    for (const name of [...ours, ...lines]) if (this.#members.has(name)) this.#ended.add(name);
  }

  /** The ids of the exceptions whose rows or lines ended. */
  ended(): string[] {
    const isEnded = (one: Exception) => membersOf(one).some((name) => this.#ended.has(name));
    return this.#exceptions.filter(isEnded).map(({ id }) => id);
  }

  /** What loads their rows of ours and lines. */
  get names(): MatchingScope['leftOpen'] {
    return this.#exceptions;
  }

  /** Their groups are judged, however clean they look. */
  judged(): JudgedNames {
    const all = this.#exceptions;
    return {
      ours: all.flatMap(({ kind, environment, reference }) =>
        kind === null || reference === null ? [] : [{ kind, environment, reference }],
      ),
      lines: all.flatMap(({ line, account }) => (line === null || account === null ? [] : [{ ...line, account }])),
    };
  }

  /** What was said of files stands as the run of their days found it. */
  ofFiles(): Item[] {
    return this.#exceptions.flatMap((one) => {
      const { code, account, currency } = one;
      return isOfFile(code) && account !== null && currency !== null ? [frozenItem(one, { account, currency })] : [];
    });
  }
}

/** The keys of the row of ours and of the line that a break names. */
function membersOf({ kind, environment, account, leg, reference, line }: Exception): string[] {
  return [
    ...(kind === null || leg === null || reference === null ? [] : [rowKey({ kind, environment, reference }, leg)]),
    ...(line === null || account === null ? [] : [lineKey({ ...line, account })]),
  ];
}

/** Rows read at a time. */
const PAGE = 500;

/** Exceptions from before a day that are not resolved, and claims that hold. Without `environment`: of both. */
export async function* openFromBefore(
  archive: Pick<ExceptionArchive, 'exceptions'>,
  { environment, from }: { readonly environment?: Environment | null | undefined; readonly from: string },
): AsyncGenerator<Exception, void, undefined> {
  const before = { ...(environment != null && { environment }), to: dayPlus(from, -1) };
  for (const filter of [
    { ...before, unresolved: true },
    { ...before, statuses: ['resolved'], resolutions: ['claim'] },
  ] as const satisfies readonly ExceptionFilter[]) {
    for (let after: Cursor | null = null; ; ) {
      const page = await archive.exceptions(filter, { after, limit: PAGE });
      yield* page.rows;
      if (page.next === null) break;
      after = page.next;
    }
  }
}
