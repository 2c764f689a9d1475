import { TallyhookError } from '../../domain/error.ts';
import type { MatchDecision, MatchDetail, MatchVerdict, RunArchive, Runs } from '../../store/runs.ts';

export interface DecisionOrder {
  readonly id: number;
  readonly verdict: MatchVerdict;
  readonly by: string;
  readonly comment: string | null;
  /** A time as the person reads it. */
  readonly shown: (atMs: number) => string;
}

/** A match, and what a person said of it now. */
export interface DecidedMatch {
  readonly match: MatchDetail;
  readonly decision: MatchDecision;
}

/**
 * Keeps that a line and a row of ours belong together, or never do. The next run uses it.
 *
 * @throws TallyhookError when there is no such match, or when it stands so already
 */
export async function decideMatch(
  { id, verdict, by, comment, shown }: DecisionOrder,
  archive: Pick<RunArchive, 'match' | 'matches'>,
  runs: Pick<Runs, 'decide'>,
): Promise<DecidedMatch> {
  const match = await archive.match(id);
  if (match === null) throw noMatch(id);
  const refused = verdict === 'together' ? notConfirmed(match, shown) : notUndone(match, shown);
  if (refused === 'ended') throw ended(match, await sinceThen(match, archive), verdict);
  if (refused !== null) throw refused;
  const { leg, lineId, kind, environment, reference } = match;
  const decision = await runs.decide({ leg, lineId, kind, environment, reference, verdict, by, comment });
  if (decision === null) throw noMatch(id);
  return { match, decision };
}

type Shown = DecisionOrder['shown'];

/** Why there is nothing to confirm; null: there is. A confirmation takes back an undoing, also of a match that has ended by it. */
function notConfirmed(
  { id, state, pass, decision, endedIn }: MatchDetail,
  shown: Shown,
): TallyhookError | 'ended' | null {
  if (decision?.verdict === 'apart') return null;
  if (decision !== null)
    return already(`Match ${id} was confirmed already: by ${decision.by}, ${shown(decision.atMs)}.`);
  if (endedIn !== null) return 'ended';
  return state !== 'confirmed' ? null : already(`Match ${id} is confirmed already: by the rules (${pass}).`);
}

function notUndone({ id, decision, endedIn }: MatchDetail, shown: Shown): TallyhookError | 'ended' | null {
  if (decision?.verdict === 'apart') {
    return already(`Match ${id} was undone already: by ${decision.by}, ${shown(decision.atMs)}.`);
  }
  return endedIn === null ? null : 'ended';
}

/** Lines of one record in one leg, of which the match of a pair is looked for. */
const MOST_LINES = 1_000;

/** Returns the match that a later run found of the same pair, such as one that a person confirmed; null: none is valid. */
async function sinceThen(match: MatchDetail, archive: Pick<RunArchive, 'matches'>): Promise<number | null> {
  const { leg, kind, environment, reference, statement } = match;
  const filter = { leg, kind, environment, reference, statement };
  const found = await archive.matches(filter, { limit: MOST_LINES, order: 'newest' });
  return found.find(({ lineId }) => lineId === match.lineId)?.id ?? null;
}

const LIST = 'List those that are valid: tallyhook matches list';

function noMatch(id: number): TallyhookError {
  return new TallyhookError(`There is no match ${id}, or its line was removed.`, { kind: 'not_found', hint: LIST });
}

function ended({ id, endedIn }: MatchDetail, since: number | null, verdict: MatchVerdict): TallyhookError {
  if (since === null) return already(`Match ${id} has ended: run ${endedIn} found it no more.`);
  const command = `tallyhook matches ${verdict === 'together' ? 'confirm' : 'undo'} ${since}`;
  return already(
    `Match ${id} has ended: run ${endedIn} found the pair again as match ${since}.`,
    `For that one: ${command}`,
  );
}

function already(message: string, hint = LIST): TallyhookError {
  return new TallyhookError(message, { kind: 'failed', hint });
}
