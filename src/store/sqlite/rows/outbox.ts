import { obstacleOf, type TargetPause } from '../../../domain/forwarding/forward-obstacle.ts';
import type { AttemptOutcome, RowFacts, RowState, ShownRowState } from '../../../domain/forwarding/forward-row.ts';
import type { TargetRules } from '../../../domain/forwarding/forward-target.ts';
import type { OutboxFilter, OutboxRow } from '../../outbox.ts';
import { oneOf, wordsParameter } from './one-of.ts';

export interface TargetRow {
  name: string;
  environments: string;
  kinds: string;
  moment: TargetRules['when'];
  news: TargetRules['news'];
  events: string | null;
}

export const TARGET_COLUMNS = 'name, environments, kinds, moment, news, events';

export function targetFromRow({ name, environments, kinds, moment, news, events }: TargetRow): TargetRules {
  return {
    name,
    environments: JSON.parse(environments),
    kinds: JSON.parse(kinds),
    when: moment,
    news,
    events: events === null ? null : JSON.parse(events),
  };
}

export function targetToRow({ name, environments, kinds, when, news, events }: TargetRules): TargetRow {
  return {
    name,
    environments: JSON.stringify(environments),
    kinds: JSON.stringify(kinds),
    moment: when,
    news,
    events: events === null ? null : JSON.stringify(events),
  };
}

/** The columns that deciders need. */
export const ROW_FACTS = `id, webhook_id AS webhookId, target, environment, kind, reference, state, attempts,
  first_attempt_at AS firstAttemptAtMs, leased_until AS leasedUntilMs, due_at AS dueAtMs, n, replay, digest,
  payload IS NULL AS bodyIsNull`;

/** The records of one target: their rows leave one after the other. */
export interface Queue {
  readonly target: string;
  readonly environment: string;
  readonly kind: string;
  readonly reference: string;
}

export interface FactsRow extends RowFacts, Queue {
  readonly id: number;
  readonly webhookId: string;
  readonly n: number | null;
  readonly replay: number;
  readonly digest: string | null;
  readonly bodyIsNull: 0 | 1;
}

export const OF_QUEUE = 'reference = @reference AND target = @target AND kind = @kind AND environment = @environment';
export const IS_OPEN = "state IN ('waiting', 'failing')";

/** The state that people see, at `@nowMs`. */
export const SHOWN_STATE = `CASE
  WHEN ${IS_OPEN} AND NOT EXISTS (SELECT 1 FROM forward_targets WHERE name = outbox.target AND present = 1) THEN 'orphaned'
  WHEN state = 'waiting' AND leased_until IS NOT NULL AND leased_until <= @nowMs THEN 'failing'
  ELSE state END`;

/** How a target stands, for everyone who looks at it. */
export const PAUSE_COLUMNS =
  'disabled_at AS disabledAtMs, held_at AS heldAtMs, held_until AS heldUntilMs, held_status AS heldStatus';

/** Of an open row whose target is there: how that stands, as JSON. */
const PAUSE_OF_ROW = `CASE WHEN ${IS_OPEN} THEN (
  SELECT json_object('disabledAtMs', disabled_at, 'heldAtMs', held_at, 'heldUntilMs', held_until, 'heldStatus', held_status)
  FROM forward_targets WHERE name = outbox.target AND present = 1) END`;

export const LIST_COLUMNS = `id, webhook_id AS webhookId, target, environment, kind, reference, type, n, ${SHOWN_STATE} AS shown,
  state, replay, attempts, created_at AS createdAtMs, due_at AS dueAtMs, leased_until AS leasedUntilMs,
  last_attempt_at AS lastAttemptAtMs, outcome, superseded_by AS supersededBy, ended_at AS endedAtMs,
  ${PAUSE_OF_ROW} AS pause`;

export interface ListRow extends Omit<OutboxRow, 'state' | 'replayed' | 'deliveredAtMs' | 'obstacle'> {
  readonly shown: ShownRowState;
  readonly state: RowState;
  readonly replay: number;
  readonly endedAtMs: number | null;
  readonly outcome: AttemptOutcome | null;
  /** A TargetPause as JSON. */
  readonly pause: string | null;
}

export function rowFromList({ shown, state, replay, endedAtMs, pause, ...row }: ListRow, nowMs: number): OutboxRow {
  const obstacle = pause === null ? null : obstacleOf(JSON.parse(pause) as TargetPause, nowMs);
  const deliveredAtMs = state === 'delivered' ? endedAtMs : null;
  return { ...row, state: shown, replayed: replay > 0, deliveredAtMs, obstacle };
}

/** A condition whose parameter is NULL is left out. */
export const MATCHING = `
  (@target IS NULL OR target = @target) AND (@environment IS NULL OR environment = @environment)
  AND ${oneOf('kind', 'kinds')} AND (@reference IS NULL OR reference = @reference)
  AND ${oneOf(SHOWN_STATE, 'states')}
  AND (@sinceMs IS NULL OR created_at >= @sinceMs) AND (@untilMs IS NULL OR created_at < @untilMs)`;

export function filterParameters(filter: OutboxFilter, nowMs: number) {
  const { target = null, environment = null, reference = null, sinceMs = null, untilMs = null } = filter;
  const lists = { kinds: wordsParameter(filter.kinds), states: wordsParameter(filter.states) };
  return { target, environment, reference, sinceMs, untilMs, nowMs, ...lists };
}
