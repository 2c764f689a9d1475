import { TallyhookError } from '../domain/error.ts';
import type { MatchDecision, MatchDetail, MatchVerdict, RunArchive, Runs } from '../store/runs.ts';

export interface DecisionOrder {
  readonly id: number;
  readonly verdict: MatchVerdict;
  readonly by: string;
  readonly comment: string | null;
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
  { id, verdict, by, comment }: DecisionOrder,
  archive: Pick<RunArchive, 'match'>,
  runs: Pick<Runs, 'decide'>,
): Promise<DecidedMatch> {
  const match = await archive.match(id);
  if (match === null) throw noMatch(id);
  const refused = verdict === 'together' ? notConfirmed(match) : notUndone(match);
  if (refused !== null) throw refused;
  const { leg, lineId, kind, environment, reference } = match;
  const decision = await runs.decide({ leg, lineId, kind, environment, reference, verdict, by, comment });
  if (decision === null) throw noMatch(id);
  return { match, decision };
}

/** Why there is nothing to confirm; null: there is. A confirmation takes back an undoing, also of a match that has ended by it. */
function notConfirmed({ id, state, pass, decision, endedIn }: MatchDetail): TallyhookError | null {
  if (decision?.verdict === 'apart') return null;
  if (decision !== null) return already(`Match ${id} was confirmed already: by ${decision.by}, ${iso(decision.atMs)}.`);
  if (endedIn !== null) return ended(id, endedIn);
  return state !== 'confirmed' ? null : already(`Match ${id} is confirmed already: by the rules (${pass}).`);
}

function notUndone({ id, decision, endedIn }: MatchDetail): TallyhookError | null {
  if (decision?.verdict === 'apart') {
    return already(`Match ${id} was undone already: by ${decision.by}, ${iso(decision.atMs)}.`);
  }
  return endedIn === null ? null : ended(id, endedIn);
}

const LIST = 'List those that are valid: tallyhook matches list';

function noMatch(id: number): TallyhookError {
  return new TallyhookError(`There is no match ${id}, or its line was removed.`, { kind: 'not_found', hint: LIST });
}

function ended(id: number, run: number): TallyhookError {
  return already(`Match ${id} has ended: run ${run} found it no more.`);
}

function already(message: string): TallyhookError {
  return new TallyhookError(message, { kind: 'failed', hint: LIST });
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
