import { monthsOf } from '../../domain/balance/covered-days.ts';
import type { Environment } from '../../domain/environment.ts';
import { businessDays, type DayRule } from '../../domain/reconciling/business-day.ts';
import type { Pass, Rules } from '../../domain/reconciling/rules.ts';
import type { Archive } from '../../store/archive.ts';
import type { MatchSummary } from '../../store/runs.ts';
import type { NamedPair } from '../../store/scratch/passes.ts';
import { Scratch } from '../../store/scratch/scratch.ts';
import type { SuggestedMatch, TriedLine, TriedRow } from '../../store/scratch/tried-rows.ts';
import { placedDecisions } from '../load/load.ts';
import { keepStatementRows } from '../load/our-rows.ts';
import { rolesOf, type Sides, sideDays, sidesOf } from '../load/sides.ts';
import { twinsAmong } from '../witnesses/duplicates.ts';
import { runPasses } from './pass.ts';
import { amountsOf, type ByAmount } from './tried-amounts.ts';

/** Which reference, and by which rules and days. */
export interface TriedOrder {
  readonly reference: string;
  readonly environment?: Environment;
  readonly rules: Rules;
  readonly dayRule: DayRule;
}

/** What the passes make of one reference and everything that shares a name with it. */
export interface Tried {
  readonly reference: string;
  readonly sides: readonly Sides[];
  readonly rows: readonly TriedRow[];
  readonly lines: readonly TriedLine[];
  /** What each pass looked at: lines and the rows that they name, and why it did not take them. */
  readonly named: ReadonlyMap<Pass, readonly NamedPair[]>;
  /** Of lines here. */
  readonly suggested: readonly SuggestedMatch[];
  /** Of rows with the reference: their lines share no name with them. */
  readonly suggestions: readonly MatchSummary[];
  /** By `OURS LEG`: rows with the reference that no other pass found a line for. */
  readonly byAmount: ReadonlyMap<string, ByAmount>;
  /** The payout that takes the line of a session, by each row that is the same payout. */
  readonly copies: ReadonlyMap<number, string>;
  /** False: there are more than were read. */
  readonly isWhole: boolean;
}

type TriedArchive = Pick<
  Archive,
  'statements' | 'decisions' | 'fillNeighbours' | 'knownRecords' | 'matches' | 'linesOfAmount'
>;

/** Lets the passes of every leg run over what shares a name with a reference, as a run would. Null: there is no statement. */
export async function triedPasses(archive: TriedArchive, order: TriedOrder): Promise<Tried | null> {
  const { reference, environment, rules, dayRule } = order;
  const filter = environment === undefined ? {} : { environment };
  const statements = await archive.statements(filter, { order: 'oldest', limit: Number.MAX_SAFE_INTEGER });
  const showing = statements.filter(({ removedAtMs }) => removedAtMs === null);
  if (showing.length === 0) return null;
  const sides = sidesOf(rules, showing, monthsOf(showing));
  const { dayOf } = businessDays(dayRule);
  const scratch = new Scratch();
  try {
    scratch.setSides(rolesOf(sides), sides.map(sideDays), null);
    const said = await archive.decisions();
    const decided = said.map(({ lineId: line, ...one }) => ({
      line,
      environment: one.environment,
      reference: one.reference,
    }));
    const isWhole = await archive.fillNeighbours(scratch, { reference, ...filter, dayOf, decided });
    keepStatementRows(scratch, sides, null);
    const copies = await dropKeysOfCopies(archive, scratch, dayOf);
    scratch.passes.decide(placedDecisions(scratch, said));
    scratch.passes.prepare();
    runPasses({ scratch, sides });
    const [rows, lines] = [scratch.tried.rows(), scratch.tried.lines()];
    return {
      ...{ reference, sides, rows, lines, copies, isWhole },
      named: new Map(rules.legs.flatMap((leg) => leg.passes).map((pass) => [pass, scratch.passes.named(pass)])),
      suggested: scratch.tried.suggested(),
      suggestions: await archive.matches(
        { reference, states: ['suggested'], ...filter },
        { order: 'oldest', limit: 1_000 },
      ),
      byAmount: await amountsOf(archive, order, { sides, rows, lines }),
    };
  } finally {
    scratch.close();
  }
}

/**
 * A line that names no more than the session is that of the first of several payouts that are the same: the others are not looked for
 * by it. Returns the reference of the first, by each of the other rows.
 */
async function dropKeysOfCopies(
  archive: TriedArchive,
  scratch: Scratch,
  dayOf: (ms: number) => string,
): Promise<Map<number, string>> {
  const copies = new Map<number, string>();
  const bySession = Map.groupBy(
    scratch.tried.rows().filter(({ kind, sessionId }) => kind === 'payout' && sessionId !== null),
    ({ sessionId }) => sessionId,
  );
  for (const rows of bySession.values()) {
    const ids = rows.flatMap(({ recordId }) => recordId ?? []);
    if (ids.length < 2) continue;
    const known = await archive.knownRecords({ kind: 'payout', ids, asAtMs: Number.MAX_SAFE_INTEGER });
    const seen = known.filter((one) => one.seen);
    for (const [first, ...others] of twinsAmong(seen, dayOf)) {
      for (const { id } of others) {
        scratch.dropKeys('payout', id);
        const row = rows.find(({ recordId }) => recordId === id);
        if (row !== undefined && first !== undefined) copies.set(row.id, first.reference);
      }
    }
  }
  return copies;
}
