import type { Environment, KeyPair } from '../../../src/domain/environment.ts';
import { senderJson } from '../../../src/receive/sample/sender-json.ts';
import { signWebhook } from '../../../src/receive/signature.ts';
import { type Examined, failed, ok } from '../../../src/store/examination.ts';
import { connectionFault } from './connection-fault.ts';

const RESPONSE_TIMEOUT_MS = 10_000;
/** Senders give up after about 5 s (decision 9). */
const SLOW_MS = 5_000;

interface ProbeTarget {
  readonly name: string;
  readonly url: string;
  readonly keyPair: KeyPair;
  readonly nowMs: number;
}

/**
 * Sends a signed probe to a webhook URL, then a forged one. The body contains what proxies may change: escaped slashes,
 * \u escapes, spaces, a trailing newline. It is kept as an unknown event and moves no record.
 */
export async function probe({ name, url, keyPair, nowMs }: ProbeTarget): Promise<Examined[]> {
  const body = probeBody(keyPair.environment, nowMs);
  const signature = signWebhook(body, keyPair);
  // Both: a genuine merchantSignature would be counted as a refused delivery of the service.
  const forged = {
    payloadSignature: signature.payloadSignature.replace(/./g, nextDigit),
    merchantSignature: signature.merchantSignature.replace(/./g, nextDigit),
  };
  return [
    await send({ name: `${name}: signed`, url, body, signature, expected: 200 }),
    await send({ name: `${name}: forged`, url, body, signature: forged, expected: 401 }),
  ];
}

function probeBody(environment: Environment, nowMs: number): Buffer {
  const sentAt = new Date(nowMs).toISOString();
  const data = { reference: `doctor-${nowMs}`, domain: environment, note: 'a/b é ₦ "quoted"', updated_at: sentAt };
  return Buffer.from(`${senderJson({ event: 'tallyhook.probe', data })} \n`);
}

interface Probe {
  readonly name: string;
  readonly url: string;
  readonly body: Buffer;
  readonly signature: object;
  /** HTTP status. */
  readonly expected: number;
}

async function send({ name, url, body, signature, expected }: Probe): Promise<Examined> {
  const headers = { 'content-type': 'application/json', timestamp: new Date().toISOString(), ...signature };
  const startMs = performance.now();
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: Uint8Array.from(body),
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    const tookMs = Math.round(performance.now() - startMs);
    if (response.status !== expected)
      return failed(name, `${url} answered ${response.status}, not ${expected}`, advice(response.status));
    if (tookMs > SLOW_MS)
      return failed(name, `${url} answered ${expected} after ${tookMs} ms`, 'Senders give up after about 5 s.');
    return ok(name, `${url} answered ${expected} in ${tookMs} ms`);
  } catch (error) {
    const { what, hint } = connectionFault(error, 'Is `tallyhook serve` running, and does the proxy reach it?');
    return failed(name, `${url} did not answer: ${what}`, hint);
  }
}

function advice(status: number): string {
  if (status === 401)
    return 'The proxy changes the body or drops the signature headers; `tallyhook verify` shows which.';
  if (status >= 300 && status < 400) return 'The URL redirects; senders do not follow. Give the service the final URL.';
  if (status === 404) return 'The proxy does not pass /webhooks/… on to the receiver.';
  if (status === 413) return 'The proxy allows smaller bodies than the receiver: raise its limit to 1 MiB.';
  if (status === 415) return 'The proxy compresses request bodies: turn that off.';
  if (status === 200) return 'A proxy answers in place of the receiver, or accepts forgeries.';
  return 'Look at the logs of the proxy and of `tallyhook serve`.';
}

/** Changes every digit, so that the signature is certainly wrong. */
function nextDigit(digit: string): string {
  return ((Number.parseInt(digit, 16) + 1) % 16).toString(16);
}
