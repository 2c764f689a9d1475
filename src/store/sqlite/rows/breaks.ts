import type { KeptBreak } from '../../runs.ts';
import { fingerprintBytes } from './statement-lines.ts';

/** The columns of a break, without its run. */
export const BREAK_COLUMNS = [
  'break_id',
  'code',
  'sub',
  'leg',
  'side',
  'kind',
  'environment',
  'account',
  'reference',
  'field_name',
  'currency',
  'ours',
  'theirs',
  'variance',
  'effect',
  'statement_id',
  'row',
  'fingerprint',
  'occurrence',
  'candidates',
  'date',
  'first_seen',
  'reason',
  'next_step',
  'record_id',
] as const;

/** A break as its row holds it. */
export interface BreakRow
  extends Pick<
    KeptBreak,
    | 'code'
    | 'sub'
    | 'leg'
    | 'side'
    | 'kind'
    | 'environment'
    | 'account'
    | 'reference'
    | 'currency'
    | 'ours'
    | 'theirs'
    | 'variance'
    | 'effect'
    | 'date'
    | 'reason'
  > {
  readonly break_id: string;
  readonly field_name: string | null;
  readonly statement_id: number | null;
  readonly row: number | null;
  readonly fingerprint: Buffer | null;
  readonly occurrence: number | null;
  readonly candidates: string;
  readonly first_seen: string;
  readonly next_step: string;
  readonly record_id: number | null;
}

export function rowFromBreak(one: KeptBreak): BreakRow {
  const { id, field, line, candidates, firstSeen, nextStep, recordId, ...same } = one;
  return {
    ...same,
    break_id: id,
    field_name: field,
    statement_id: line?.statement ?? null,
    row: line?.row ?? null,
    fingerprint: line === null ? null : fingerprintBytes(line.fingerprint),
    occurrence: line?.occurrence ?? null,
    candidates: JSON.stringify(candidates),
    first_seen: firstSeen,
    next_step: nextStep,
    record_id: recordId,
  };
}

export function breakFromRow(columns: BreakRow): KeptBreak {
  const { break_id, field_name, statement_id, row, fingerprint, occurrence, candidates, ...others } = columns;
  const { first_seen, next_step, record_id, ...same } = others;
  const isOfLine = statement_id !== null && row !== null && fingerprint !== null && occurrence !== null;
  return {
    ...same,
    id: break_id,
    field: field_name,
    line: isOfLine ? { statement: statement_id, row, fingerprint: fingerprint.toString('hex'), occurrence } : null,
    candidates: JSON.parse(candidates),
    firstSeen: first_seen,
    nextStep: next_step,
    recordId: record_id,
  };
}
