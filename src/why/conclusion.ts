import { OUTCOME_TEXT } from '../confirm/outcome-text.ts';
import { STUCK_ADVICE } from '../confirm/stuck.ts';
import { isFinal, isSettled } from '../domain/lifecycle.ts';
import type { RecordDetail } from '../store/records.ts';
import type { Wording } from './entry.ts';

/** Where a record stands. */
export const STANDINGS = [
  'final', // the service calls it settled, and nothing leaves that
  'watched', // settled, and asked about again: it may still change, or there was news
  'settled', // settled, and watched long enough
  'open', // not settled; it is asked about again
  'stuck', // not settled, and nobody asks any more
  'unconfirmed', // its endpoint is unproven or missing, so that nobody can confirm it (decision 72)
  'awaited', // expected, and nobody has said anything
] as const;
export type Standing = (typeof STANDINGS)[number];

export interface Conclusion {
  readonly standing: Standing;
  /** Since when the service's word is what it is; null without a word. */
  readonly confirmedSinceMs: number | null;
  /** When the service is asked next; null when it is not. */
  readonly nextAtMs: number | null;
  /** A few sentences for a person. */
  readonly text: string;
}

/** Where it stands and what comes next. `canCheck`: there is an address and a key of its environment. Pure. */
export function conclude(record: RecordDetail, nowMs: number, wording: Wording, canCheck: boolean): Conclusion {
  const standing = standingOf(record);
  const settled = standing === 'final' || standing === 'settled' || standing === 'watched';
  const sentences = [
    opening(standing, record, wording),
    settled ? otherWord(record) : '',
    canCheck || record.dueAtMs === null ? next(standing, record, nowMs, wording) : noCheckPossible(record),
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
    // Behind the webhooks a settled word may use up its attempts, too.
    if (check?.stuckAtMs != null && dueAtMs === null) return 'stuck';
    if (dueAtMs !== null) return 'watched';
    return isFinal(kind, confirmed) ? 'final' : 'settled';
  }
  if (check?.outcome === 'unproven' || check?.outcome === 'unconfirmable') return 'unconfirmed';
  if (check?.outcome === 'unaskable' || (check?.stuckAtMs != null && dueAtMs === null)) return 'stuck';
  return observations.length === 0 ? 'awaited' : 'open';
}

function opening(standing: Standing, record: RecordDetail, { time }: Wording): string {
  const { reported, confirmed, confirmedAtMs, check, tracked } = record;
  const since = confirmedAtMs === null ? '' : ` since ${time(confirmedAtMs)}`;
  const word = confirmed === null ? 'The service has confirmed nothing' : `The service confirms ${confirmed}${since}`;
  if (standing === 'final') return `Final: the service confirms ${confirmed}${since}, and nothing leaves that.`;
  if (standing === 'settled' || standing === 'watched') return `Settled: the service confirms ${confirmed}${since}.`;
  if (standing === 'unconfirmed') {
    const why = check?.outcome === 'unproven' ? 'endpoint unproven' : 'no endpoint to ask';
    return `Not confirmed: ${why}. ${told(reported)}.`;
  }
  if (standing === 'stuck') {
    const from = check?.stuckAtMs == null ? '' : ` since ${time(check.stuckAtMs)}`;
    return `Stuck${from}. ${word}; ${lowerFirst(told(reported))}.`;
  }
  if (standing === 'awaited') {
    const by = tracked?.expectedByMs == null ? '' : ` by ${time(tracked.expectedByMs)}`;
    return `Awaited${by}: nobody has said anything about it so far.`;
  }
  return `Open: ${lowerFirst(word)}; ${lowerFirst(told(reported))}.`;
}

/** What the webhooks say, where it is not what the service confirms. */
function otherWord({ reported, confirmed }: RecordDetail): string {
  if (reported === confirmed) return '';
  return reported === null ? 'No webhook has told of it.' : `The webhooks report ${reported}.`;
}

function next(standing: Standing, record: RecordDetail, nowMs: number, { time }: Wording): string {
  const { check, dueAtMs } = record;
  if (check?.leasedUntilMs != null && check.leasedUntilMs > nowMs) return 'The service is being asked now.';
  if (dueAtMs !== null) {
    const failed = check?.outcome != null && !['answered', 'pending'].includes(check.outcome);
    const last = failed && check?.outcome != null ? ` When it was asked last, ${OUTCOME_TEXT[check.outcome]}.` : '';
    return dueAtMs <= nowMs
      ? `It is due since ${time(dueAtMs)}: the next sweep asks.${last}`
      : `It is asked about again at ${time(dueAtMs)}.${last}`;
  }
  if (standing === 'stuck') return STUCK_ADVICE[check?.outcome === 'unaskable' ? 'unaskable' : 'attempts_used_up'];
  if (standing === 'open' || standing === 'awaited') return 'Nobody will ask about it by himself.';
  return 'It is not asked about again.';
}

function noCheckPossible({ environment }: RecordDetail): string {
  return `It is to be asked about, and with this configuration nobody does: it has no baseUrl, or no key of ${environment}.`;
}

function told(reported: string | null): string {
  return reported === null ? 'No webhook has claimed a status' : `The webhooks report ${reported}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
