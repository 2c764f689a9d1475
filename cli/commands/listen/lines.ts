import { readEvent } from '../../../src/domain/events/event.ts';
import { printableLine } from '../../../src/domain/text/printable.ts';
import type { Forwarded } from '../../../src/forward/forwarder.ts';
import { type RefusalReason, refusalStatus } from '../../../src/receive/refusals.ts';
import type { Watcher } from '../../../src/serve/watcher.ts';
import { keptAs } from '../../../src/store/inbox.ts';
import { note, print, printBodyText, printJsonLine } from '../../show/output.ts';
import { localTime } from '../../show/text.ts';

/** One thing that happened, as `--json` prints it. */
export type Happening =
  | {
      readonly what: 'webhook';
      readonly at: string;
      readonly environment: string;
      readonly event: string;
      readonly reference: string;
      readonly status: 200;
      readonly signature: 'verified';
      readonly key: string;
      readonly kept: 'new' | 'duplicate' | 'variant';
      readonly body?: string;
    }
  | {
      readonly what: 'refused';
      readonly at: string;
      readonly path: string;
      readonly status: number;
      readonly reason: string;
      readonly from: string | null;
    }
  | {
      readonly what: 'news';
      readonly at: string;
      readonly moment: string;
      readonly type: string;
      readonly environment: string;
      readonly reference: string;
      readonly id: string;
      readonly attempt: number;
      readonly outcome: string;
      readonly status: number | null;
      readonly ms: number;
      readonly detail: string | null;
    };

export interface Counts {
  webhooks: number;
  refused: number;
  accepted: number;
  failed: number;
}

/** Prints what happens while `listen` runs, one line each, and counts it. */
export class Lines implements Watcher {
  readonly counts: Counts = { webhooks: 0, refused: 0, accepted: 0, failed: 0 };
  readonly #isJson: boolean;
  readonly #withBody: boolean;
  readonly #time: (ms: number) => string;
  readonly #now: () => number;

  constructor({ json, printBody, zone, now }: { json: boolean; printBody: boolean; zone: string; now: () => number }) {
    this.#isJson = json;
    this.#withBody = printBody;
    this.#time = localTime(zone);
    this.#now = now;
  }

  kept: Watcher['kept'] = ({ environment, keyId: key, body }, kept) => {
    this.counts.webhooks++;
    const { event, reference } = readEvent(body, environment);
    const shown = { event: printableLine(event), reference: printableLine(reference) };
    const facts = { status: 200, signature: 'verified', key, kept: keptAs(kept) } as const;
    const text = Buffer.from(body).toString();
    this.#show(
      { what: 'webhook', at: this.#at(), environment, ...shown, ...facts, ...(this.#withBody && { body: text }) },
      `webhook    ${environment} ${shown.event} ${shown.reference}  signature verified (${key}), ${facts.kept}`,
    );
    if (this.#withBody && !this.#isJson) printBodyText(text);
  };

  refused: Watcher['refused'] = ({ path, reason, remoteAddress: from }) => {
    this.counts.refused++;
    const status = refusalStatus(reason as RefusalReason);
    this.#show(
      { what: 'refused', at: this.#at(), path, status, reason, from },
      `refused    ${path}: ${status}, ${reason}; nothing is handed on`,
    );
  };

  forwarded: Watcher['forwarded'] = ({ row, outcome, status, detail, tookMs }: Forwarded) => {
    const isAccepted = outcome === 'delivered';
    this.counts[isAccepted ? 'accepted' : 'failed']++;
    const { target: moment, type, environment, webhookId: id, attempt } = row;
    const reference = printableLine(row.reference);
    const ms = Math.round(tookMs);
    const answer = attemptText({ outcome, status, detail, ms });
    const again = isAccepted ? '' : `, attempt ${attempt}; it is tried again`;
    this.#show(
      { what: 'news', at: this.#at(), moment, type, environment, reference, id, attempt, outcome, status, ms, detail },
      `  ${moment.padEnd(9)}  ${environment} ${printableLine(type)} ${reference}  → ${answer}${again}`,
    );
  };

  /** The last line. */
  summary(): void {
    const { webhooks, refused, accepted, failed } = this.counts;
    if (this.#isJson) void printJsonLine({ what: 'stopped', ...this.counts });
    else
      note(
        `${webhooks} ${webhooks === 1 ? 'webhook' : 'webhooks'}, ${refused} refused; ${accepted} handed on, ${failed} ${failed === 1 ? 'attempt' : 'attempts'} not accepted`,
      );
  }

  #show(happening: Happening, line: string): void {
    if (this.#isJson) void printJsonLine(happening);
    else print(`${this.#time(this.#now())}  ${line}`);
  }

  #at(): string {
    return new Date(this.#now()).toISOString();
  }
}

/** What a developer has to change, by the code of a failed connection. */
const CONNECTION_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'nothing listens there'],
  [/^(ENOTFOUND|EAI_\w+)$/, 'no address is known for this name'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'it closed the connection'],
  [/^(HPE_\w+|HTTPParserError)$/, 'it does not answer with HTTP'],
  [/^ERR_SSL_WRONG_VERSION_NUMBER$/, 'it does not speak TLS: write http://'],
];

/** Returns how an attempt ended: the status with the beginning of the answer, or why there is none. */
export function attemptText({
  outcome,
  status,
  detail,
  ms,
}: Pick<News, 'outcome' | 'status' | 'detail' | 'ms'>): string {
  if (status !== null) return `${status} in ${ms} ms${detail === null || detail === '' ? '' : `: ${detail}`}`;
  if (outcome === 'unsafe') return `not sent: ${detail}`;
  const fault = CONNECTION_FAULTS.find(([code]) => code.test(detail ?? ''));
  return `no answer: ${fault === undefined ? (detail ?? outcome) : `${fault[1]} (${detail})`}`;
}

type News = Extract<Happening, { what: 'news' }>;
