import { alertText } from '../alert/message.ts';
import { isRunning, presentOutage } from '../confirm/judgement.ts';
import type { ServeReport } from '../confirm/serve-report.ts';
import type { Outage } from '../domain/alerts/outage.ts';
import type { Environment } from '../domain/environment.ts';
import type { Likeness } from '../domain/refusals/refused-run.ts';
import { refusalWords } from '../receive/refusal-words.ts';
import type { AlertArchive } from '../store/alerts.ts';
import type { KeptSpan, RefusedArchive } from '../store/refused.ts';
import type { ReceiverProcess } from '../store/system-state.ts';

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

export interface IncidentContext {
  readonly nowMs: number;
  readonly zone: string;
  /** What the `serve` of this database reports now: a full disk keeps nothing of it. Null when none answered. */
  readonly serve: ServeReport | null;
}

/** Every incident of which a part is in the window, the oldest first. */
export async function incidentsIn(
  archive: RefusedArchive & Pick<AlertArchive, 'alerts'>,
  { sinceMs, untilMs }: Window,
  { nowMs, zone, serve }: IncidentContext,
): Promise<Incident[]> {
  const page = { limit: MOST, order: 'newest' } as const;
  const outage = presentOutage({ serve }, nowMs);
  const kept = await archive.refusedSpans({ sinceMs, untilMs, likenesses: SUSPECT }, page);
  // `serve` counts all of the outage that goes on; the database has some of it at most.
  const spans = kept.filter(
    ({ likeness, lastAtMs }) => outage === null || likeness !== 'not_kept' || lastAtMs < outage.fromMs,
  );
  const alerts = await archive.alerts({ closed: true }, page);
  const all = [
    ...absences(await archive.receiverTimes(), nowMs, serve),
    ...spans.map(refusedIncident),
    ...(outage === null ? [] : [outageIncident(outage)]),
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

/** Times in which no process received, between the processes that are remembered; the present one as `status` judges it. Pure. */
export function absences(receivers: readonly ReceiverProcess[], nowMs: number, serve: ServeReport | null): Incident[] {
  const found: Incident[] = [];
  let last: { readonly endMs: number; readonly hasStopped: boolean } | null = null;
  for (const { startedAtMs, seenAtMs, stoppedAtMs } of receivers.toSorted(byStart)) {
    if (last !== null && startedAtMs > last.endMs) found.push(absence(last, startedAtMs));
    const endMs = stoppedAtMs ?? seenAtMs;
    if (last === null || endMs > last.endMs) last = { endMs, hasStopped: stoppedAtMs !== null };
  }
  const isThere = serve !== null || receivers.some((process) => isRunning(process, nowMs, serve));
  return last === null || isThere ? found : [...found, absence(last, null)];
}

const byStart = (one: ReceiverProcess, other: ReceiverProcess) => one.startedAtMs - other.startedAtMs;

function absence({ endMs, hasStopped }: { endMs: number; hasStopped: boolean }, toMs: number | null): Incident {
  const how = hasStopped ? 'it was stopped' : 'it ended without stopping in order; this is its last sign of life';
  return {
    ...{ kind: 'away', fromMs: endMs, toMs, environments: ['live', 'test'], count: null },
    reason: hasStopped ? 'stopped' : 'crashed',
    text: `serve did not run: ${how}.`,
  };
}

function outageIncident({ fault, deliveries, fromMs, lastAtMs, keptAgainAtMs }: Outage): Incident {
  const many = deliveries === 0 ? 'Each delivery is' : deliveriesOf(deliveries);
  return {
    ...{ kind: 'not_kept', fromMs, toMs: keptAgainAtMs === null ? null : lastAtMs },
    ...{ environments: ['live', 'test'], count: deliveries, reason: fault },
    text: `${many} answered 503 or 500: ${refusalWords(fault, '')[0]}.`,
  };
}

function deliveriesOf(count: number): string {
  return `${count} ${count === 1 ? 'delivery' : 'deliveries'}`;
}

function refusedIncident({ likeness, reason, count, environments, lastPath, firstAtMs, lastAtMs }: KeptSpan): Incident {
  const many = deliveriesOf(count);
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
