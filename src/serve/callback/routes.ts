import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts';
import {
  type PaymentStatus,
  signVerdict,
  type VerdictCode,
  verdictOf,
} from '../../domain/requests/callback-verdict.ts';
import type { Secret } from '../../domain/secrets/secret.ts';
import type { Clock } from '../../time/clock.ts';
import { AddressBudgets } from './budgets.ts';

/** The kept facts of a payment. */
export interface KnownPayment extends PaymentStatus {
  readonly reference: string;
  readonly amount: string | null;
  readonly currency: string | null;
}

/** A payment by its environment and reference. */
export interface PaymentReference {
  readonly environment: Environment;
  readonly reference: string;
}

export interface CallbackOptions {
  /** The page that every customer is redirected to. */
  readonly page: string;
  readonly secret: Secret;
  readonly ttlSeconds: number;
  /** Longest wait of a customer; then the verdict is `pending`. */
  readonly timeoutMs: number;
  /** Visits of one address; further ones are redirected without a look-up. */
  readonly perAddressPerMinute: number;
  readonly clock: Clock;
  /** The payment without a status check; its status only while fresh. Null: no such payment is tracked. */
  readonly look: (payment: PaymentReference) => Promise<KnownPayment | null>;
  /** The payment after a status check; without a status when the answer is not usable, or when no check is allowed. */
  readonly check: (payment: PaymentReference) => Promise<KnownPayment>;
  readonly onVerdict?: (verdict: VerdictCode) => void;
  /** Too many visits, of all or of one address. */
  readonly onOverBudget?: () => void;
  readonly onFailed?: (error: unknown) => void;
}

const LONGEST_REFERENCE = 255;
/** Most visits under way at once; each waits for the database, and some for the service. */
const MOST_AT_ONCE = 200;

const HEADERS = {
  'cache-control': 'no-store',
  // The URL has the parameters of the checkout and the verdict, which must not reach other sites.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const;

interface Result {
  readonly verdict: VerdictCode;
  readonly reference: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
}

/** A verdict without a payment. The parameters of the visitor are never repeated. */
const NOTHING = { reference: null, amount: null, currency: null } as const;

/**
 * The address that the inline checkout sends the customer to (interface 2.6, 6.5). Its parameters are not trusted: the
 * reference is looked up, the payment is checked, and the customer is redirected to the configured page with a signed
 * verdict (decision 67). The answer is always a redirect: a customer who has paid must not see an error.
 */
export const callbackRoutes: FastifyPluginAsync<CallbackOptions> = async (app, options) => {
  const { clock, timeoutMs, onVerdict, onOverBudget, onFailed } = options;
  const visits = new AddressBudgets(options.perAddressPerMinute);
  let underway = 0;

  for (const environment of ENVIRONMENTS) {
    // Without HEAD: a link preview must not cause a status check.
    app.get(`/callback/${environment}`, { exposeHeadRoute: false }, async (request, reply) =>
      redirect(reply, environment, await resultOf(environment, request)),
    );
  }

  async function resultOf(environment: Environment, request: FastifyRequest): Promise<Result> {
    if (underway >= MOST_AT_ONCE || !visits.take(request.ip, clock.nowMs())) {
      onOverBudget?.();
      return { verdict: 'pending', ...NOTHING };
    }
    const reference = referenceOf(request);
    if (reference === null) return { verdict: 'unknown', ...NOTHING };
    const late = lateAfter(timeoutMs);
    let known: KnownPayment | null = null;
    underway++;
    try {
      const kept = await Promise.race([options.look({ environment, reference }), late.promise]);
      if (kept === 'late') return { verdict: 'pending', ...NOTHING };
      if (kept === null || kept.status !== null) return { ...NOTHING, ...kept, verdict: verdictOf(kept) };
      known = kept;
      const checked = await Promise.race([options.check({ environment, reference }), late.promise]);
      if (checked !== 'late') known = checked;
      return { ...known, verdict: verdictOf(known) };
    } catch (error) {
      onFailed?.(error);
      return { ...NOTHING, ...known, verdict: 'pending' };
    } finally {
      late.cancel();
      underway--;
    }
  }

  function redirect(reply: FastifyReply, environment: Environment, result: Result) {
    const { verdict, reference, amount, currency } = result;
    const expiresAtMs = clock.nowMs() + options.ttlSeconds * 1_000;
    const token = signVerdict({ verdict, environment, reference, amount, currency, expiresAtMs }, options.secret);
    onVerdict?.(verdict);
    const target = new URL(options.page);
    target.searchParams.set('verdict', token);
    return reply.headers(HEADERS).redirect(target.href, 303);
  }
};

/** The parameter `reference` if it can be a reference, else null; `status` and the others are not trusted. */
function referenceOf(request: FastifyRequest): string | null {
  const { reference } = request.query as Readonly<Record<string, unknown>>;
  const usable = typeof reference === 'string' && reference !== '' && reference.length <= LONGEST_REFERENCE;
  return usable && reference.isWellFormed() && !reference.includes('\0') ? reference : null;
}

function lateAfter(timeoutMs: number): { readonly promise: Promise<'late'>; readonly cancel: () => void } {
  const { promise, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), timeoutMs);
  return { promise, cancel: () => clearTimeout(timer) };
}
