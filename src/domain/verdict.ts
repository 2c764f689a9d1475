import { createHmac, timingSafeEqual } from 'node:crypto';
import { ENVIRONMENTS, type Environment } from './environment.ts';
import { TallyhookError } from './error.ts';
import { isSettled } from './lifecycle.ts';
import { Secret } from './secret.ts';

/*
 * What the customer carries from `/callback/{test|live}` to the merchant's page (decision 67): a statement about one
 * payment, signed so that the customer can read it and not change it. It is a JSON Web Token signed with HMAC-SHA256,
 * so that it can be checked in any language. Exports: signVerdict, verifyVerdict, verdictOf.
 */

/** `success`: paid. `failed`: not paid, and it will not be. `pending`: nobody knows yet. `unknown`: no payment of ours. */
export const VERDICTS = ['success', 'failed', 'pending', 'unknown'] as const;
export type VerdictCode = (typeof VERDICTS)[number];

export interface Verdict {
  readonly verdict: VerdictCode;
  readonly environment: Environment;
  /** Null when the request named none that we know. */
  readonly reference: string | null;
  /** What was to be paid, as the service says it: exact decimal text, `1000.50`. Null when it has not said it. */
  readonly amount: string | null;
  readonly currency: string | null;
  /** Epoch milliseconds; a whole second. */
  readonly expiresAtMs: number;
}

export const VERDICT_FAILURES = [
  'malformed', // not one of our tokens at all
  'forged', // this secret did not sign it
  'expired',
] as const;
export type VerdictFailure = (typeof VERDICT_FAILURES)[number];

export type VerdictCheck =
  | { readonly ok: true; readonly verdict: Verdict }
  | { readonly ok: false; readonly reason: VerdictFailure };

/** An HMAC-SHA256 key has 32 bytes at least (RFC 7518, 3.2). */
export const SHORTEST_VERDICT_SECRET = 32;

/** One header, so that nobody can choose another algorithm; its type keeps other tokens under the same secret apart. */
const HEADER = encode({ alg: 'HS256', typ: 'verdict+jwt' });
const ISSUER = 'tallyhook';
const TOKEN = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;
const LONGEST_TOKEN = 4_096;

/** The token: three parts of letters, digits, `-` and `_`, joined by dots. `expiresAtMs` is cut to a whole second. */
export function signVerdict({ expiresAtMs, ...verdict }: Verdict, secret: Secret): string {
  const content = `${HEADER}.${encode({ iss: ISSUER, exp: Math.floor(expiresAtMs / 1_000), ...verdict })}`;
  return `${content}.${signatureOf(content, secret.reveal())}`;
}

/**
 * Checks a token that a customer brought. `token` is whatever the query held, `nowMs` epoch milliseconds. Never throws
 * for a token. The caller still compares reference, amount, currency and environment with the order.
 *
 * @throws TallyhookError kind `configuration` when the secret is shorter than 32 characters
 */
export function verifyVerdict(token: unknown, secret: string | Secret, nowMs: number): VerdictCheck {
  const key = secret instanceof Secret ? secret.reveal() : secret;
  requireSecret(key);
  const parts = typeof token === 'string' && token.length <= LONGEST_TOKEN ? TOKEN.exec(token) : null;
  if (parts === null) return { ok: false, reason: 'malformed' };
  const [, header = '', payload = '', signature = ''] = parts;
  // As text, not as bytes: base64url has several spellings of one signature, and only ours may pass.
  if (!sameText(signature, signatureOf(`${header}.${payload}`, key))) return { ok: false, reason: 'forged' };
  const verdict = header === HEADER ? verdictFrom(payload) : null;
  if (verdict === null) return { ok: false, reason: 'malformed' };
  return nowMs < verdict.expiresAtMs ? { ok: true, verdict } : { ok: false, reason: 'expired' };
}

/** The service's own word on a payment, as far as it has been asked. */
export interface PaymentStatus {
  /** Null: it has not said one, or not now. */
  readonly status: string | null;
  /** Something stands against it: another amount or currency than expected, or two that disagree. */
  readonly disputed: boolean;
}

/**
 * One word for a page (decision 69). A payment whose amount is disputed is never called paid: somebody who changed the
 * amount on the way to the checkout would be told so too.
 */
export function verdictOf(word: PaymentStatus | null): VerdictCode {
  if (word === null) return 'unknown';
  const { status, disputed } = word;
  if (status === null || !isSettled('collection', status)) return 'pending';
  if (status !== 'success' && status !== 'completed') return 'failed';
  return disputed ? 'pending' : 'success';
}

function verdictFrom(payload: string): Verdict | null {
  const content = decode(payload);
  if (typeof content !== 'object' || content === null) return null;
  const { iss, exp, verdict, environment, reference, amount, currency } = content as Record<string, unknown>;
  const word = VERDICTS.find((each) => each === verdict);
  const where = ENVIRONMENTS.find((each) => each === environment);
  const known = iss === ISSUER && word !== undefined && where !== undefined && Number.isSafeInteger(exp);
  if (!known || !isTextOrNull(reference) || !isTextOrNull(amount) || !isTextOrNull(currency)) return null;
  return { verdict: word, environment: where, reference, amount, currency, expiresAtMs: Number(exp) * 1_000 };
}

function requireSecret(secret: string): void {
  if (typeof secret === 'string' && secret.length >= SHORTEST_VERDICT_SECRET) return;
  throw new TallyhookError(
    `The secret of the verdicts is too short: at least ${SHORTEST_VERDICT_SECRET} characters are needed.`,
    { kind: 'configuration', hint: 'Give the same text as callback.secret in tallyhook.yaml.' },
  );
}

function signatureOf(content: string, secret: string): string {
  return createHmac('sha256', secret).update(content).digest('base64url');
}

function sameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function encode(content: object): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
