import { createHmac, timingSafeEqual } from 'node:crypto';
import { ENVIRONMENTS, type Environment } from '../environment.ts';
import { TallyhookError } from '../error.ts';
import { namesOf, requireArgument, requireKnown, requireObject } from '../misuse.ts';
import { isSettled } from '../records/lifecycle.ts';
import { Secret } from '../secrets/secret.ts';
import { weakness } from '../secrets/secret-strength.ts';

/*
 * The verdict that the customer's browser carries from `/callback/{test|live}` to the merchant's page (decision 67): a
 * JSON Web Token about one payment, signed with HMAC-SHA256. The customer can read it but not change it, and every
 * language can check it. Exports: signVerdict, verifyVerdict, verdictOf.
 */

/** `success`: paid. `failed`: not paid, finally. `pending`: not known yet. `unknown`: no payment of ours. */
export const VERDICTS = ['success', 'failed', 'pending', 'unknown'] as const;
export type VerdictCode = (typeof VERDICTS)[number];

export interface Verdict {
  readonly verdict: VerdictCode;
  readonly environment: Environment;
  /** Null when the request named no known reference. */
  readonly reference: string | null;
  /** The requested amount by the service, as exact decimal text: `1000.50`. Null when not known. */
  readonly amount: string | null;
  readonly currency: string | null;
  /** Epoch milliseconds; a whole second. */
  readonly expiresAtMs: number;
}

export const VERDICT_FAILURES = [
  'malformed', // not one of our tokens
  'forged', // not signed with this secret
  'expired',
] as const;
export type VerdictFailure = (typeof VERDICT_FAILURES)[number];

export type VerdictCheck =
  | { readonly ok: true; readonly verdict: Verdict }
  | { readonly ok: false; readonly reason: VerdictFailure };

/** Shortest secret, in characters: an HMAC-SHA256 key has 32 bytes at least (RFC 7518, 3.2). */
export const SHORTEST_VERDICT_SECRET = 32;

/** The only accepted header: the sender cannot choose another algorithm, nor pass another token under the same secret. */
const HEADER = encode({ alg: 'HS256', typ: 'verdict+jwt' });
const ISSUER = 'tallyhook';
const TOKEN = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;
const LONGEST_TOKEN = 4_096;

const MEMBERS = namesOf<Verdict>({
  verdict: true,
  environment: true,
  reference: true,
  amount: true,
  currency: true,
  expiresAtMs: true,
});

/** Returns the token: three parts of letters, digits, `-` and `_`, joined by dots. `expiresAtMs` is cut to whole seconds. */
export function signVerdict(signed: Verdict, secret: Secret): string {
  requireObject('verdict', signed, "signVerdict({ verdict: 'success', … }, new Secret('…'))");
  const { expiresAtMs, ...verdict } = signed;
  requireKnown(signed, MEMBERS);
  requireArgument('verdict', verdict.verdict, VERDICTS.includes(verdict.verdict), `one of ${VERDICTS.join(', ')}`);
  const isKnown = ENVIRONMENTS.includes(verdict.environment);
  requireArgument('environment', verdict.environment, isKnown, `one of ${ENVIRONMENTS.join(', ')}`);
  for (const name of ['reference', 'amount', 'currency'] as const)
    requireArgument(name, verdict[name], isTextOrNull(verdict[name]), 'a text or null');
  requireArgument('expiresAtMs', expiresAtMs, Number.isFinite(expiresAtMs), 'a number of milliseconds since 1970');
  requireArgument('secret', secret, secret instanceof Secret, "a Secret: new Secret('…')");
  const content = `${HEADER}.${encode({ iss: ISSUER, exp: Math.floor(expiresAtMs / 1_000), ...verdict })}`;
  return `${content}.${signatureOf(content, secret.reveal())}`;
}

/**
 * Checks the token from a customer's query. `nowMs`: epoch milliseconds. Never throws because of a token. The caller
 * still compares reference, amount, currency and environment with the order.
 *
 * @throws TallyhookError kind `usage` for a `nowMs` that is no number, kind `configuration` when the secret is shorter than 32 characters or easily guessed
 */
export function verifyVerdict(token: unknown, secret: string | Secret, nowMs: number): VerdictCheck {
  const key = secret instanceof Secret ? secret.reveal() : secret;
  requireSecret(key);
  requireArgument('nowMs', nowMs, Number.isFinite(nowMs), 'a number of milliseconds since 1970');
  const parts = typeof token === 'string' && token.length <= LONGEST_TOKEN ? TOKEN.exec(token) : null;
  if (parts === null) return { ok: false, reason: 'malformed' };
  const [, header = '', payload = '', signature = ''] = parts;
  // Compared as text: base64url has several spellings of one signature, and only ours may pass.
  if (!sameText(signature, signatureOf(`${header}.${payload}`, key))) return { ok: false, reason: 'forged' };
  const verdict = header === HEADER ? verdictFrom(payload) : null;
  if (verdict === null) return { ok: false, reason: 'malformed' };
  return nowMs < verdict.expiresAtMs ? { ok: true, verdict } : { ok: false, reason: 'expired' };
}

/** The confirmed status of a payment. */
export interface PaymentStatus {
  /** Null: not confirmed, or not now. */
  readonly status: string | null;
  /** The amount or currency differs from the expected one, is expected and not stated, or two observations disagree. */
  readonly disputed: boolean;
}

/**
 * Returns the verdict for the merchant's page (decision 69). A payment with a disputed amount is never `success`: an
 * attacker may have changed the amount before the checkout.
 */
export function verdictOf(confirmed: PaymentStatus | null): VerdictCode {
  if (confirmed === null) return 'unknown';
  const { status, disputed } = confirmed;
  if (status === null || !isSettled('collection', status)) return 'pending';
  if (status !== 'success' && status !== 'completed') return 'failed';
  return disputed ? 'pending' : 'success';
}

function verdictFrom(payload: string): Verdict | null {
  const content = decode(payload);
  if (typeof content !== 'object' || content === null) return null;
  const { iss, exp, verdict, environment, reference, amount, currency } = content as Record<string, unknown>;
  const code = VERDICTS.find((each) => each === verdict);
  const where = ENVIRONMENTS.find((each) => each === environment);
  const known = iss === ISSUER && code !== undefined && where !== undefined && Number.isSafeInteger(exp);
  if (!known || !isTextOrNull(reference) || !isTextOrNull(amount) || !isTextOrNull(currency)) return null;
  return { verdict: code, environment: where, reference, amount, currency, expiresAtMs: Number(exp) * 1_000 };
}

function requireSecret(secret: string): void {
  const problem = typeof secret === 'string' ? weakness(secret, SHORTEST_VERDICT_SECRET) : 'must be text';
  if (problem === null) return;
  throw new TallyhookError(`The secret of the verdicts ${problem}.`, {
    kind: 'configuration',
    hint: 'Give the same text as callback.secret in tallyhook.yaml.',
  });
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
