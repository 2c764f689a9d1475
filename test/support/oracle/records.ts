import type { Content } from './contents.ts';

/*
 * The records that the kept bodies amount to, by the interface (3.2, 6.2, 6.3) and the rules of the domain, written a
 * second time. It reads only what the tests' own senders make: plain JSON, times with milliseconds in UTC.
 */

/** Refund statuses, the least telling first (interface 3.2). */
const REFUND_RANKS = ['awaiting_settlement', 'pending', 'processing', 'failed', 'rejected', 'success'];
const FINAL = ['rejected', 'success'];

export interface ExpectedRecord {
  readonly kind: 'refund' | 'payout';
  readonly environment: string;
  readonly reference: string;
  readonly contents: number;
  readonly reported: string | null;
  /** Epoch milliseconds; null for a payout, which carries no time. */
  readonly timeMs: number | null;
  readonly amountMinor: number | null;
  readonly currency: string | null;
  /** Codes of open findings, each once. */
  readonly findings: readonly string[];
}

interface Stated {
  readonly key: string;
  readonly status: string;
  readonly timeMs: number;
}

/** The expected records, by `kind environment reference`. */
export function expectedRecords(contents: readonly Content[]): Map<string, ExpectedRecord> {
  const groups = Map.groupBy(contents.map(readBody), ({ kind, environment, reference }) =>
    [kind, environment, reference].join(' '),
  );
  return new Map([...groups].map(([name, group]) => [name, expectedOf(group)]));
}

type Body = ReturnType<typeof readBody>;

function readBody({ body, environment, eventId }: Content) {
  const { event, notify, notifyType, data } = JSON.parse(Buffer.from(body, 'latin1').toString());
  if (notify === 'payout' && notifyType === 'successful' && data.status === undefined) {
    return { kind: 'payout', environment, reference: data.reference, data, key: String(eventId), ...timed('success') };
  }
  const status = data.status ?? event.slice('refund.'.length);
  // Two statuses under one key would state none; no sender of the tests makes such a body.
  if (event !== `refund.${status}`) throw new Error(`The oracle does not know this event: ${event}, ${status}`);
  const reference = data.refund_reference;
  const key = [event, data.updated_at ?? body].join(' ');
  return { kind: 'refund', environment, reference, data, key, ...timed(status, data.updated_at) };
}

function timed(status: string, updatedAt?: string) {
  return { status, timeMs: updatedAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(updatedAt) };
}

function expectedOf(group: readonly Body[]): ExpectedRecord {
  const [{ kind, environment, reference, data }] = group as [Body];
  const firsts = [...Map.groupBy(group, ({ key }) => key).values()].map(([first]) => first as Body);
  const winner = firsts.reduce((best, stated) => (outranks(stated, best) ? stated : best));
  return {
    kind: kind as ExpectedRecord['kind'],
    environment,
    reference,
    contents: group.length,
    reported: winner.status,
    timeMs: Number.isFinite(winner.timeMs) ? winner.timeMs : null,
    amountMinor: data.amount === undefined ? null : Math.round(Number(data.amount) * 100),
    currency: data.currency ?? null,
    findings: kind === 'refund' ? findingsOf(group, firsts, winner) : [],
  };
}

/** A final status before any other, then the later one, then the more telling one. */
function outranks(one: Stated, other: Stated): boolean {
  const [left, right] = [one, other].map(({ status, timeMs }) => [
    Number(FINAL.includes(status)),
    timeMs,
    REFUND_RANKS.indexOf(status),
  ]) as [number[], number[]];
  const at = left.findIndex((value, index) => value !== right[index]);
  return at >= 0 && (left[at] as number) > (right[at] as number);
}

function findingsOf(group: readonly Body[], firsts: readonly Stated[], winner: Stated): string[] {
  const others = firsts.filter(({ status }) => status !== winner.status);
  const isFinal = ({ status }: Stated) => FINAL.includes(status);
  const isTimed = ({ timeMs }: Stated) => Number.isFinite(timeMs);
  const found = {
    final_conflict: isFinal(winner) && others.some(isFinal),
    final_regressed: isFinal(winner) && others.some((stated) => !isFinal(stated) && stated.timeMs > winner.timeMs),
    tie: others.some((stated) => isTimed(stated) && stated.timeMs === winner.timeMs),
    variant: firsts.length < group.length,
  };
  return Object.entries(found).flatMap(([code, isOpen]) => (isOpen ? code : []));
}
