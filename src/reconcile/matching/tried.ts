import { businessDays, type DayRule } from '../../domain/business-day.ts';
import { dueDays, termOf } from '../../domain/due-day.ts';
import type { Environment } from '../../domain/environment.ts';
import { judgeGroup } from '../../domain/matching/judge.ts';
import { sumUntil } from '../../domain/matching/postings.ts';
import type { OurRow } from '../../domain/matching/rows.ts';
import type { Terms } from '../../domain/matching/terms.ts';
import type { Rules } from '../../domain/rules.ts';
import type { Archive } from '../../store/archive.ts';
import type { AmountLine } from '../../store/reconciliation.ts';
import type { MatchSummary } from '../../store/runs.ts';
import { Scratch } from '../../store/scratch/scratch.ts';
import type { SuggestedMatch, TriedLine, TriedRow } from '../../store/scratch/tried-rows.ts';
import { copiesAmong } from '../duplicates.ts';
import { runPasses } from './legs.ts';
import { placedDecisions } from './match.ts';
import { keepStatementRows } from './our-rows.ts';
import { rolesOf, type Sides, sideDays, sidesOf } from './sides.ts';

/** Which reference, and by which rules and days. */
export interface TriedOrder {
  readonly reference: string;
  readonly environment?: Environment;
  readonly rules: Rules;
  readonly dayRule: DayRule;
}

/** What a row of ours has by its amount alone, in one leg. */
export interface ByAmount {
  readonly amounts: readonly bigint[];
  /** In which its line may come, both included. */
  readonly from: string;
  readonly to: string;
  /** Also of a few days before and after. */
  readonly lines: readonly AmountLine[];
}

/** What the passes make of one reference and everything that shares a name with it. */
export interface Tried {
  readonly reference: string;
  readonly sides: readonly Sides[];
  readonly rows: readonly TriedRow[];
  readonly lines: readonly TriedLine[];
  /** Pairs that a person took apart: `LINE OURS`. */
  readonly apart: ReadonlySet<string>;
  /** Of lines here. */
  readonly suggested: readonly SuggestedMatch[];
  /** Of rows with the reference: their lines share no name with them. */
  readonly suggestions: readonly MatchSummary[];
  /** By `OURS LEG`: rows with the reference that no other pass found a line for. */
  readonly byAmount: ReadonlyMap<string, ByAmount>;
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
  const sides = sidesOf(rules, showing);
  const { dayOf } = businessDays(dayRule);
  const scratch = new Scratch();
  try {
    scratch.setSides(rolesOf(sides), sides.map(sideDays));
    const said = await archive.decisions();
    const decided = said.map(({ lineId: line, ...one }) => ({
      line,
      environment: one.environment,
      reference: one.reference,
    }));
    const isWhole = await archive.fillNeighbours(scratch, { reference, ...filter, dayOf, decided });
    keepStatementRows(scratch, sides);
    await dropKeysOfCopies(archive, scratch);
    const decisions = placedDecisions(scratch, said);
    scratch.claims.decide(decisions);
    scratch.claims.prepare();
    runPasses({ scratch, sides });
    const [rows, lines] = [scratch.tried.rows(), scratch.tried.lines()];
    return {
      ...{ reference, sides, rows, lines, isWhole },
      apart: new Set(decisions.filter(({ isTogether }) => !isTogether).map(({ line, ours }) => `${line} ${ours}`)),
      suggested: scratch.tried.suggested(),
      suggestions: await archive.matches(
        { reference, state: 'suggested', ...filter },
        { order: 'oldest', limit: 1_000 },
      ),
      byAmount: await amountsOf(archive, order, { sides, rows, lines }),
    };
  } finally {
    scratch.close();
  }
}

/** A payout that repeats another one has no line of its own. */
async function dropKeysOfCopies(archive: TriedArchive, scratch: Scratch): Promise<void> {
  const bySession = Map.groupBy(
    scratch.tried.rows().filter(({ kind, sessionId }) => kind === 'payout' && sessionId !== null),
    ({ sessionId }) => sessionId,
  );
  for (const rows of bySession.values()) {
    const ids = rows.flatMap(({ recordId }) => recordId ?? []);
    if (ids.length < 2) continue;
    const known = await archive.knownRecords({ kind: 'payout', ids, asAtMs: Number.MAX_SAFE_INTEGER });
    for (const { id } of copiesAmong(known.filter(({ seen }) => seen))) scratch.dropKeys('payout', id);
  }
}

/** Days before and after its time in which a line is named that has the amount. */
const AROUND_DAYS = 3;
/** Most lines of one amount that are named. */
const MOST_LINES = 20;
const DAY_MS = 86_400_000;
const FOR_EVER = '9999-12-31';

async function amountsOf(
  archive: TriedArchive,
  { reference, rules, dayRule }: TriedOrder,
  { sides, rows, lines }: Pick<Tried, 'sides' | 'rows' | 'lines'>,
): Promise<Map<string, ByAmount>> {
  const due = dueDays({ days: businessDays(dayRule), holidays: rules.holidays });
  const found = new Map<string, ByAmount>();
  for (const row of rows.filter((one) => one.reference === reference)) {
    for (const side of sides) {
      const { leg, number, environment, currency } = side;
      const isIts = environment === row.environment && currency === row.currency && side.kinds.includes(row.kind);
      const isTaken = lines.some((line) => line.leg === number && line.takenFor === row.id);
      if (!isIts || isTaken || !leg.passes.includes('amount_and_date') || !isCovered(side, row)) continue;
      const dueDay = due({ day: row.day, atMs: null }, termOf(leg, row.status)).day;
      const amounts = expectedAmounts(row, side);
      const from = new Date(Date.parse(`${row.day}T12:00:00Z`) - AROUND_DAYS * DAY_MS).toISOString().slice(0, 10);
      const to = new Date(Date.parse(`${dueDay}T12:00:00Z`) + AROUND_DAYS * DAY_MS).toISOString().slice(0, 10);
      const { statement: kind, types } = leg.theirs;
      const near = await archive.linesOfAmount({
        ...{ kind, environment, currency, types, amounts, from, to, limit: MOST_LINES },
      });
      found.set(`${row.id} ${number}`, { amounts, from: row.day, to: dueDay, lines: near });
    }
  }
  return found;
}

/** Whether some statement of a side shows the days of a row. */
export function isCovered({ days }: Pick<Sides, 'days'>, { kind, startDay, day }: OurRow): boolean {
  return days.includes(day) || (kind === 'refund' && days.includes(startDay));
}

/** What moved by us in all, and the amount in both directions. */
function expectedAmounts(row: OurRow, { leg }: Sides): bigint[] {
  const terms: Terms = {
    until: FOR_EVER,
    judgedDay: FOR_EVER,
    dueDay: () => FOR_EVER,
    compare: leg.compare,
    isLedger: leg.theirs.statement === 'ledger',
    direction: leg.theirs.statement === 'bank' && 'batches' in leg.ours ? 1n : -1n,
    taxOn: () => null,
  };
  const effect = sumUntil(judgeGroup(row, [], terms).ours, FOR_EVER);
  return [...new Set(row.amount === null ? [effect] : [effect, row.amount, -row.amount])].filter((one) => one !== 0n);
}
