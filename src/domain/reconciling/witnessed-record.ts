import type { Finding } from '../findings/finding.ts';
import { isSettled } from '../records/lifecycle.ts';
import { compareConfirmed, type StatedStatus } from '../records/observation.ts';
import { settledBy } from '../records/settling-age.ts';
import { type BreakFacts, distinctFacts } from './break.ts';
import { type FindingRecord, findingBreak, webhookVersusService } from './finding-break.ts';
import { witnessBreaks } from './witness-break.ts';

/** Whether the service can be asked about a kind: it has answered, never has, or has no such endpoint. */
export type EndpointState = 'proven' | 'unproven' | 'absent';

/** One record with what its webhooks and the service said. */
export interface WitnessedRecord extends FindingRecord {
  readonly reportedTime: string | null;
  readonly findings: readonly Finding[];
  /** When it began (`startedAt`). */
  readonly startedAtMs: number;
  /** When the latest usable answer came, and when the reported status was learnt; null: not yet. */
  readonly answeredAtMs: number | null;
  readonly reportedAtMs: number | null;
}

export interface Judging {
  readonly endpoint: EndpointState;
  /** The time at which ages and due dates are judged. */
  readonly judgedAtMs: number;
}

/** Where a record stands that is not matched by itself. `dueAtMs`: the date of a break or a wait; null: the record's own. */
export interface RecordJudgement {
  readonly breaks: readonly BreakFacts[];
  /** Not due yet, or cannot be confirmed. */
  readonly waiting: BreakFacts | null;
  readonly dueAtMs: number | null;
}

/** Of a record that is stuck in a settled status: only the webhooks report it. */
export const UNCONFIRMED = 'the service has not confirmed it';

/** Judges one record by its two witnesses and its open findings. Pure. */
export function judgeRecord(record: WitnessedRecord, { endpoint, judgedAtMs }: Judging): RecordJudgement {
  const wait = waitOf(record, endpoint);
  const found = record.findings.map((one) => findingBreak(record, one)).filter((one) => one !== null);
  const isUnaskable = found.some(({ sub }) => sub === 'unaskable');
  const usedUp = record.findings.some(({ code }) => code === 'stuck');
  const dueAtMs = settledBy(record.kind, record.confirmed ?? record.reported, record.startedAtMs);
  const late = wait?.code === 'timing' && (usedUp || judgedAtMs > dueAtMs);
  const opposed = disagreement(record);
  const breaks = distinctFacts([
    ...joinedConflict([
      ...found,
      ...(opposed === 'break' ? [webhookVersusService(record.reported, record.confirmed)] : []),
    ]),
    ...witnessBreaks(record),
    ...(wait !== null && late && !isUnaskable ? [stuck(record, wait.sub)] : []),
  ]);
  const waiting =
    isUnaskable || late ? null : (wait ?? (opposed === 'timing' ? timing(record, 'webhook_vs_api') : null));
  return { breaks, waiting, dueAtMs: wait?.code === 'timing' ? dueAtMs : null };
}

/** Webhooks that state both of two outcomes, of which the service answers one, are one thing: the service says which is right. */
function joinedConflict(found: readonly BreakFacts[]): BreakFacts[] {
  const conflict = found.find(({ sub }) => sub === 'final_conflict');
  const same = found.filter(
    (one) => one.sub === 'webhook_vs_api' && one.ours === conflict?.ours && one.theirs === conflict?.theirs,
  );
  const details = [...new Set([conflict, ...same].map((one) => one?.detail).filter((one) => one != null))];
  return found.flatMap((one) => {
    if (same.includes(one)) return [];
    return one === conflict ? [{ ...one, detail: details.join('; ') || null }] : [one];
  });
}

/** What a record waits for; null when the service has settled it. */
function waitOf(record: WitnessedRecord, endpoint: EndpointState): BreakFacts | null {
  const { kind, reported, confirmed } = record;
  if (confirmed !== null) return isSettled(kind, confirmed) ? null : timing(record, 'unsettled');
  if (endpoint !== 'proven') {
    const sub = endpoint === 'absent' ? 'no_endpoint' : 'unproven_endpoint';
    return { ...timing(record, sub), code: 'not_confirmed' };
  }
  return timing(record, reported !== null && isSettled(kind, reported) ? 'unconfirmed' : 'unsettled');
}

function timing({ confirmed, reported }: WitnessedRecord, sub: string): BreakFacts {
  const ours = confirmed ?? reported;
  return { code: 'timing', sub, side: 'ours', field: 'status', ours, theirs: null, detail: null };
}

function stuck({ confirmed, reported }: WitnessedRecord, wait: string | null): BreakFacts {
  const ours = confirmed ?? reported;
  const detail = wait === 'unconfirmed' ? UNCONFIRMED : null;
  return { code: 'stuck', sub: null, side: 'ours', field: 'status', ours, theirs: null, detail };
}

/**
 * Whether the service contradicts the webhooks. An answer that is ahead of them is none: a webhook was lost. An answer from
 * before the webhook came could not know it, so the next one decides.
 */
function disagreement(record: WitnessedRecord): 'break' | 'timing' | null {
  const { kind, reported, confirmed, reportedTime, answeredAtMs, reportedAtMs } = record;
  if (reported === null || confirmed === null || !isSettled(kind, confirmed)) return null;
  const stated = (status: string, time: string | null): StatedStatus => ({ status, time, details: null });
  const place = compareConfirmed(kind, stated(confirmed, null), stated(reported, reportedTime));
  if (place === 0 || place === 1) return null;
  const newsAtMs = Math.max(reportedAtMs ?? 0, reportedTime === null ? 0 : Date.parse(reportedTime));
  return answeredAtMs !== null && answeredAtMs < newsAtMs ? 'timing' : 'break';
}
