import type { Environment } from '../../../domain/environment.ts';
import type { MatchDetail, RunSummary, UndoneMatch } from '../../runs.ts';

/** The latest as-at time of a run, also of one that is going on. */
export const LAST_AS_AT = 'SELECT max(as_at) FROM reconciliation_runs';

export const RUN_COLUMNS = `
  r.id, r.from_day, r.to_day, r.zone, r.cut_off_minutes, r.as_at, r.carried_out, r.what, r.environment, r.account, r.begun_at, r.finished_at,
  r.breaks, r.report, r.rules_digest, u.name AS rules_name, u.text AS rules_text`;

/** A whole run. */
export interface RunRow {
  readonly id: number;
  readonly from_day: string;
  readonly to_day: string;
  readonly zone: string;
  readonly cut_off_minutes: number;
  readonly as_at: number;
  readonly carried_out: number;
  readonly what: string;
  readonly environment: Environment | null;
  readonly account: string | null;
  readonly begun_at: number;
  readonly finished_at: number;
  readonly breaks: number;
  readonly report: string;
  readonly rules_digest: string;
  readonly rules_name: string;
  readonly rules_text: string;
}

export function runFromRow(row: RunRow): RunSummary {
  return {
    run: row.id,
    from: row.from_day,
    to: row.to_day,
    zone: row.zone,
    cutOffMinutes: row.cut_off_minutes,
    asAtMs: row.as_at,
    carriedOut: row.carried_out,
    what: row.what,
    environment: row.environment,
    account: row.account,
    rules: { name: row.rules_name, digest: row.rules_digest, text: row.rules_text },
    begunAtMs: row.begun_at,
    finishedAtMs: row.finished_at,
    breaks: row.breaks,
    report: row.report,
  };
}

/** A match of a line that is there. Integers are bigint: an amount may need all 64 bits. */
export interface MatchRow extends Pick<MatchDetail, 'leg' | 'kind' | 'reference' | 'pass' | 'state' | 'environment'> {
  readonly id: bigint;
  readonly run_id: bigint;
  readonly line_id: bigint;
  readonly record_id: bigint | null;
  readonly statement_id: bigint;
  readonly row: bigint;
  readonly account_name: string;
  readonly date: string;
  readonly currency: string;
  readonly amount_minor: bigint;
}

type PairRow = Omit<MatchRow, 'id' | 'run_id' | 'pass' | 'state'>;

/** A line and a row of ours that a person took apart, with the last match of the two. */
export interface UndoneRow extends PairRow {
  readonly id: bigint;
  readonly match_id: bigint | null;
  readonly run_id: bigint | null;
  readonly pass: UndoneMatch['pass'];
  readonly decided_by: string;
  readonly decided_at: bigint;
  readonly comment: string | null;
}

export function matchFromRow(columns: MatchRow, decision: MatchDetail['decision']): Omit<MatchDetail, 'endedIn'> {
  const { pass, state } = columns;
  return { id: Number(columns.id), run: Number(columns.run_id), ...pairFromRow(columns), pass, state, decision };
}

export function undoneFromRow(columns: UndoneRow): UndoneMatch {
  const { pass, match_id: match, run_id: run, comment } = columns;
  return {
    id: Number(columns.id),
    matchId: match === null ? null : Number(match),
    run: run === null ? null : Number(run),
    ...pairFromRow(columns),
    pass,
    decision: { verdict: 'apart', by: columns.decided_by, atMs: Number(columns.decided_at), comment },
  };
}

function pairFromRow(columns: PairRow) {
  const { leg, kind, reference, environment, date, currency } = columns;
  return {
    leg,
    lineId: Number(columns.line_id),
    kind,
    recordId: columns.record_id === null ? null : Number(columns.record_id),
    reference,
    environment,
    account: columns.account_name,
    statement: Number(columns.statement_id),
    row: Number(columns.row),
    date,
    currency,
    amount: columns.amount_minor,
  };
}
