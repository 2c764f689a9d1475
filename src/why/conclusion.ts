import { STUCK_ADVICE } from '../confirm/stuck.ts';
import { OUTCOME_TEXT } from '../domain/checks/check.ts';
import { isFinal, isSettled } from '../domain/records/lifecycle.ts';
import type { RecordDetail } from '../store/records.ts';
import type { Wording } from './entry.ts';

/** Where a record stands. */
export const STANDINGS = [
  'final', // confirmed as settled, in a status that cannot change
  'watched', // confirmed as settled, and a further check is scheduled: the status may change, or a new observation arrived
  'settled', // confirmed as settled, and watched long enough
  'open', // not confirmed as settled
  'stuck', // checks are used up or impossible
  'unconfirmed', // the status endpoint is unproven or missing (decision 72)
  'awaited', // tracked, without any observation
] as const;
export type Standing = (typeof STANDINGS)[number];

export interface Conclusion {
  readonly standing: Standing;
  /** When the present confirmed status was first confirmed; null without one. */
  readonly confirmedSinceMs: number | null;
  /** When the next check is due; null when none is scheduled. */
  readonly nextAtMs: number | null;
  /** A few sentences for people. */
  readonly text: string;
}

export interface ConclusionContext {
  readonly nowMs: number;
  readonly wording: Wording;
  /** What the configuration lacks to check it: the address of the service, or a key of the record's environment. */
  readonly lacking: 'baseUrl' | 'key' | null;
}

/** Where a record stands and what comes next. Pure. */
export function conclude(record: RecordDetail, context: ConclusionContext): Conclusion {
  const { wording, lacking } = context;
  const standing = standingOf(record);
  const settled = standing === 'final' || standing === 'settled' || standing === 'watched';
  const sentences = [
    opening(standing, record, wording),
    settled ? reportedOtherwise(record) : '',
    lacking === null || record.dueAtMs === null ? next(standing, record, context) : noCheckPossible(record, lacking),
  ];
  const open = record.findings.length;
  if (open > 0) sentences.push(`${open === 1 ? 'One finding is' : `${open} findings are`} open.`);
  return {
    standing,
    confirmedSinceMs: record.confirmedAtMs,
    nextAtMs: record.dueAtMs,
    text: sentences.filter((sentence) => sentence !== '').join(' '),
  };
}

function standingOf({ kind, confirmed, check, dueAtMs, observations }: RecordDetail): Standing {
  if (confirmed !== null && isSettled(kind, confirmed)) {
    // A settled status behind the webhooks is checked further, and may use up its attempts too.
    if (check?.stuckAtMs != null && dueAtMs === null) return 'stuck';
    if (dueAtMs !== null) return 'watched';
    return isFinal(kind, confirmed) ? 'final' : 'settled';
  }
  if (check?.outcome === 'unproven' || check?.outcome === 'unconfirmable') return 'unconfirmed';
  if (check?.outcome === 'unaskable' || (check?.stuckAtMs != null && dueAtMs === null)) return 'stuck';
  return observations.length === 0 ? 'awaited' : 'open';
}

function opening(standing: Standing, record: RecordDetail, { time, deadline }: Wording): string {
  const { reported, confirmed, confirmedAtMs, check, tracked } = record;
  const since = confirmedAtMs === null ? '' : ` since ${time(confirmedAtMs)}`;
  const status = `the service has confirmed ${confirmed === null ? 'nothing' : `${confirmed}${since}`}`;
  if (standing === 'final') {
    const at = confirmedAtMs === null ? '' : ` on ${time(confirmedAtMs)}`;
    return `Final: ${confirmed}, confirmed${at}; it cannot change any more.`;
  }
  if (standing === 'settled' || standing === 'watched') return `Settled: ${status}.`;
  if (standing === 'unconfirmed') {
    const why = check?.outcome === 'unproven' ? 'endpoint unproven' : 'no status endpoint';
    return `Not confirmed: ${why}. ${upperFirst(reportedText(reported))}.`;
  }
  if (standing === 'stuck') {
    const from = check?.stuckAtMs == null ? '' : ` since ${time(check.stuckAtMs)}`;
    return `Stuck${from}. ${upperFirst(status)}; ${reportedText(reported)}.`;
  }
  if (standing === 'awaited') {
    const by = tracked?.expectedByMs == null ? '' : ` by ${deadline(tracked.expectedByMs)}`;
    return `Awaited${by}: nothing has been received about it so far.`;
  }
  return `Open: ${status}; ${reportedText(reported)}.`;
}

/** The reported status, where it differs from the confirmed one. */
function reportedOtherwise({ reported, confirmed }: RecordDetail): string {
  return reported === confirmed ? '' : `${upperFirst(reportedText(reported))}.`;
}

function next(standing: Standing, record: RecordDetail, { nowMs, wording: { time } }: ConclusionContext): string {
  const { check, dueAtMs } = record;
  if (check?.leasedUntilMs != null && check.leasedUntilMs > nowMs) return 'A status check is under way.';
  if (dueAtMs !== null) {
    const failed = check?.outcome != null && !['answered', 'pending'].includes(check.outcome);
    const last = failed && check?.outcome != null ? ` Last check: ${OUTCOME_TEXT[check.outcome]}.` : '';
    return dueAtMs <= nowMs
      ? `A check has been due since ${time(dueAtMs)}; the next sweep sends it.${last}`
      : `The next check is at ${time(dueAtMs)}.${last}`;
  }
  if (standing === 'stuck') return STUCK_ADVICE[check?.outcome === 'unaskable' ? 'unaskable' : 'attempts_used_up'];
  if (standing === 'open' || standing === 'awaited')
    return 'No check is scheduled. Run: tallyhook sweep --reference REF';
  return 'No further check is scheduled.';
}

function noCheckPossible({ environment }: RecordDetail, lacking: 'baseUrl' | 'key'): string {
  if (lacking === 'key') return `No check can confirm it without a key pair under keys.${environment}.`;
  return 'No check can confirm it: set baseUrl, the address of the service, or TALLYHOOK_BASE_URL.';
}

function reportedText(reported: string | null): string {
  return reported === null ? 'no webhook has reported a status' : `the webhooks report ${reported}`;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
