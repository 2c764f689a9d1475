import { alertText } from '../alert/message.ts';
import type { Environment } from '../domain/environment.ts';
import type { Likeness } from '../domain/refused-run.ts';
import { refusalWords } from '../receive/refusal-words.ts';
import type { AlertArchive } from '../store/alerts.ts';
import type { KeptSpan, ReceiverTime, RefusedArchive } from '../store/refused.ts';
import { SIGN_OF_LIFE_MS } from '../store/standing.ts';

// When deliveries could not come in, or something else was not well.

/** What an incident is about. */
export const INCIDENT_KINDS = [
  'away', // no process received
  'not_kept', // authentic deliveries were answered 503 or 500, such as with a full disk
  'refused', // what looks like a delivery of the service was refused
  'alert', // an alert was open
] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

export interface Incident {
  readonly kind: IncidentKind;
  readonly fromMs: number;
  /** Null: it lasts. */
  readonly toMs: number | null;
  /** Those that it concerns. */
  readonly environments: readonly Environment[];
  /** Requests; null of an incident that counts none. */
  readonly count: number | null;
  /** Of a refusal its reason, of an alert its cause; `stopped` or `crashed` of a time without a process. */
  readonly reason: string;
  /** A sentence for people. */
  readonly text: string;
}

/** The time that is asked for. */
interface Window {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** As much as is read of each kind: a story or a screen shows the latest. */
const MOST = 10_000;
/** Refusals that count as an incident: others are strangers'. */
const SUSPECT: readonly Likeness[] = ['ours', 'not_kept', 'merchant_only', 'signed'];
/** Without a sign of life for this long a process is taken for gone: three signs. */
const GONE_MS = 3 * SIGN_OF_LIFE_MS;

/** Every incident of which a part is in the window, the oldest first. */
export async function incidentsIn(
  archive: RefusedArchive & Pick<AlertArchive, 'alerts'>,
  { sinceMs, untilMs }: Window,
  { nowMs, zone }: { readonly nowMs: number; readonly zone: string },
): Promise<Incident[]> {
  const page = { limit: MOST, order: 'newest' } as const;
  const spans = await archive.refusedSpans({ sinceMs, untilMs, likenesses: SUSPECT }, page);
  const alerts = await archive.alerts({ closed: true }, page);
  const all = [
    ...absences(await archive.receiverTimes(), nowMs),
    ...spans.map(refusedIncident),
    ...alerts.map(
      (alert): Incident => ({
        kind: 'alert',
        fromMs: alert.openedAtMs,
        toMs: alert.closedAtMs,
        environments: [],
        count: null,
        reason: alert.cause,
        text: alertText(alert, { nowMs, zone }).what,
      }),
    ),
  ];
  return all
    .filter(({ fromMs, toMs }) => fromMs < untilMs && (toMs ?? nowMs) >= sinceMs)
    .sort((one, other) => one.fromMs - other.fromMs);
}

/** Times in which no process received, between the processes that are remembered. Pure. */
export function absences(receivers: readonly ReceiverTime[], nowMs: number): Incident[] {
  const found: Incident[] = [];
  let last: { readonly endMs: number; readonly hasStopped: boolean } | null = null;
  for (const { startedAtMs, seenAtMs, stoppedAtMs } of receivers.toSorted(byStart)) {
    if (last !== null && startedAtMs > last.endMs) found.push(absence(last, startedAtMs));
    const endMs = stoppedAtMs ?? seenAtMs;
    if (last === null || endMs > last.endMs) last = { endMs, hasStopped: stoppedAtMs !== null };
  }
  const isAway = last !== null && (last.hasStopped || nowMs - last.endMs > GONE_MS);
  return isAway && last !== null ? [...found, absence(last, null)] : found;
}

const byStart = (one: ReceiverTime, other: ReceiverTime) => one.startedAtMs - other.startedAtMs;

function absence({ endMs, hasStopped }: { endMs: number; hasStopped: boolean }, toMs: number | null): Incident {
  const how = hasStopped ? 'it was stopped' : 'it ended without stopping in order; this is its last sign of life';
  return {
    ...{ kind: 'away', fromMs: endMs, toMs, environments: ['live', 'test'], count: null },
    reason: hasStopped ? 'stopped' : 'crashed',
    text: `serve did not run: ${how}.`,
  };
}

function refusedIncident({ likeness, reason, count, environments, lastPath, firstAtMs, lastAtMs }: KeptSpan): Incident {
  const many = `${count} ${count === 1 ? 'delivery' : 'deliveries'}`;
  const [why] = refusalWords(reason, lastPath);
  const what = {
    not_kept: `${many} answered 503 or 500`,
    ours: `${many} refused, signed with our keys`,
    merchant_only: `${many} refused, with our merchantSignature`,
    signed: `${many} refused, with signatures of the right form`,
    other: `${many} refused`,
  }[likeness];
  return {
    kind: likeness === 'not_kept' ? 'not_kept' : 'refused',
    ...{ fromMs: firstAtMs, toMs: lastAtMs, environments, count, reason },
    text: `${what}: ${why}.`,
  };
}
