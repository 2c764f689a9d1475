import type { Environment, KeyPair } from '../../../src/domain/environment.ts';
import { senderJson } from '../../../src/receive/sample/sender-json.ts';
import { signWebhook } from '../../../src/receive/signature.ts';
import { type Check, failed, ok } from './check.ts';
import { reason } from './setup-checks.ts';

const ANSWER_TIMEOUT_MS = 10_000;
/** What senders allow before they give up; an answer near it is as good as none (decisions 9). */
const SLOW_MS = 5_000;

/**
 * Sends a signed probe to a webhook URL and a forged one after it. The body carries what proxies like to touch: escaped
 * slashes, \u escapes, spaces, a trailing newline. It is kept as an unknown event and moves no record.
 */
export async function probe(name: string, url: string, keyPair: KeyPair, nowMs: number): Promise<Check[]> {
  const body = probeBody(keyPair.environment, nowMs);
  const signature = signWebhook(body, keyPair);
  const forged = { ...signature, payloadSignature: signature.payloadSignature.replace(/./g, nextDigit) };
  return [
    await ask(`${name}: signed`, url, body, signature, 200),
    await ask(`${name}: forged`, url, body, forged, 401),
  ];
}

function probeBody(environment: Environment, nowMs: number): Buffer {
  const sentAt = new Date(nowMs).toISOString();
  const data = { reference: `doctor-${nowMs}`, domain: environment, note: 'a/b é ₦ "quoted"', updated_at: sentAt };
  return Buffer.from(`${senderJson({ event: 'tallyhook.probe', data })} \n`);
}

async function ask(name: string, url: string, body: Buffer, signature: object, expected: number): Promise<Check> {
  const headers = { 'content-type': 'application/json', timestamp: new Date().toISOString(), ...signature };
  const askedMs = performance.now();
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body: Uint8Array.from(body),
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    const tookMs = Math.round(performance.now() - askedMs);
    if (answer.status !== expected)
      return failed(name, `${url} answered ${answer.status}, not ${expected}`, advice(answer.status));
    if (tookMs > SLOW_MS)
      return failed(name, `${url} answered ${expected} after ${tookMs} ms`, 'Senders give up after about 5 s.');
    return ok(name, `${url} answered ${expected} in ${tookMs} ms`);
  } catch (error) {
    return failed(
      name,
      `${url} did not answer: ${reason(error)}`,
      'Is `tallyhook serve` running, and does the proxy reach it?',
    );
  }
}

function advice(status: number): string {
  if (status === 401)
    return 'The proxy changes the body or drops the signature headers; `tallyhook verify` says which.';
  if (status >= 300 && status < 400) return 'The URL redirects; senders do not follow. Give the service the final URL.';
  if (status === 404) return 'The proxy does not pass /webhooks/… on to the receiver.';
  if (status === 413) return 'The proxy allows smaller bodies than the receiver: raise its limit to 1 MiB.';
  if (status === 415) return 'The proxy compresses request bodies: turn that off.';
  if (status === 200)
    return 'Something in front answers by itself, or accepts forgeries: it is not the receiver that answered.';
  return 'Look at the logs of the proxy and of `tallyhook serve`.';
}

/** Another digit in every place: surely not the same signature. */
function nextDigit(digit: string): string {
  return ((Number.parseInt(digit, 16) + 1) % 16).toString(16);
}
