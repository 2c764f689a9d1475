import type { Outage } from '../domain/alerts/outage.ts';
import type { Environment } from '../domain/environment.ts';
import type { RefusedRun } from '../domain/refusals/refused-run.ts';
import { type RefusalWords, refusalWords, THROUGH_THE_PROXY } from '../receive/refusal-words.ts';
import { faultText } from '../store/error.ts';

type At = (ms: number) => string;

/** Deliveries that are refused or not kept: how many since when, why, and what to do about this reason. */
export function refusedRunText(run: RefusedRun, { environment, at }: { environment: Environment; at: At }) {
  const [why, next] = reasonOf(run);
  return {
    text: `${environment}: ${whatText(run)} since ${at(run.firstAtMs)}: ${why}`,
    next: next.replaceAll('ENVIRONMENT', environment),
  };
}

/** Deliveries that cannot be kept now: how many, since when, why, and what to do. */
export function outageText({ fault, fromMs, lastAtMs, deliveries, keptAgainAtMs }: Outage, at: At) {
  const [, next] = refusalWords(fault, '');
  const counted =
    deliveries === 0 ? `none came since ${at(fromMs)}` : `${deliveries} since ${at(fromMs)}, the last ${at(lastAtMs)}`;
  const text =
    keptAgainAtMs === null
      ? `Deliveries are refused now: ${faultText(fault, 'now')}; ${counted}`
      : `Deliveries were refused until just now: ${faultText(fault, 'over')}; ${counted}`;
  return { text, next };
}

function whatText(run: RefusedRun): string {
  const { likeness, count } = run;
  const deliveries = count === 1 ? 'delivery' : 'deliveries';
  if (likeness === 'ours') return `${count} authentic ${deliveries} refused`;
  if (likeness === 'not_kept') return `${count} authentic ${deliveries} answered 503 or 500, and none kept`;
  if (isOtherBody(run)) return `${count} requests with our merchantSignature and another body`;
  if (likeness === 'merchant_only') return `${count} requests with our merchantSignature refused`;
  return `${count} of the last ${count} deliveries refused`;
}

/** Our merchantSignature came, and the payloadSignature is not that of the body. */
function isOtherBody({ likeness, reason }: RefusedRun): boolean {
  return likeness === 'merchant_only' && reason === 'payload_signature_mismatch';
}

function reasonOf(run: RefusedRun): RefusalWords {
  return isOtherBody(run) ? OTHER_BODY : refusalWords(run.reason, run.path);
}

const OTHER_BODY: RefusalWords = ['a proxy changes the body, or a stranger repeats the header', THROUGH_THE_PROXY];
