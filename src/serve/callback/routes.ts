import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts';
import type { Secret } from '../../domain/secret.ts';
import { type PaymentStatus, signVerdict, type VerdictCode, verdictOf } from '../../domain/verdict.ts';
import type { Clock } from '../../time/clock.ts';
import { AddressBudgets, Budget } from './budgets.ts';

/** What is known of the payment that a customer comes back from. */
export interface KnownPayment extends PaymentStatus {
  readonly reference: string;
  readonly amount: string | null;
  readonly currency: string | null;
}

/** Which payment a visitor means. */
export interface PaymentReference {
  readonly environment: Environment;
  readonly reference: string;
}

export interface CallbackOptions {
  /** The one page that customers are sent on to. */
  readonly page: string;
  readonly secret: Secret;
  readonly ttlSeconds: number;
  /** The customer waits so long; then the verdict is `pending`. */
  readonly timeoutMs: number;
  /** Questions to the service, whoever they are for. */
  readonly perMinute: number;
  /** Visits of one address; further ones are sent on unexamined. */
  readonly perAddressPerMinute: number;
  readonly clock: Clock;
  /** The payment, with the service's word where it is fresh; null when the reference is none of ours. Asks nobody. */
  readonly look: (landing: PaymentReference) => Promise<KnownPayment | null>;
  /** The payment after a status check; without a status when the answer is not usable. */
  readonly check: (landing: PaymentReference) => Promise<KnownPayment>;
  readonly onReturned?: (verdict: VerdictCode) => void;
  /** A budget was used up. */
  readonly onOverBudget?: () => void;
  readonly onFailed?: (error: unknown) => void;
}

const LONGEST_REFERENCE = 255;
/** Visits examined at once; each waits for the database, and some for the service. */
const MOST_AT_ONCE = 200;

const HEADERS = {
  'cache-control': 'no-store',
  // The address holds what the checkout put there, and now the verdict: neither is the next page's business.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const;

interface Found {
  readonly verdict: VerdictCode;
  readonly reference: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
}

/** Nothing of the payment is known, or may be looked up now. What the visitor said is not repeated. */
const NOTHING = { reference: null, amount: null, currency: null } as const;

/**
 * Where the inline checkout sends the customer (interface 2.6, 6.5). Its parameters are hints of a stranger: the
 * reference is looked up, the service is asked, and the customer goes on to the one configured page with a signed
 * verdict (decision 67). Whatever happens, it is a redirect: a customer who has paid must not see an error.
 */
export const callback: FastifyPluginAsync<CallbackOptions> = async (app, options) => {
  const { clock, timeoutMs, onReturned, onOverBudget, onFailed } = options;
  const visits = new AddressBudgets(options.perAddressPerMinute);
  const questions = new Budget(options.perMinute, clock.nowMs());
  let underway = 0;

  for (const environment of ENVIRONMENTS) {
    // Without HEAD: a preview of the address must not ask anybody.
    app.get(`/callback/${environment}`, { exposeHeadRoute: false }, async (request, reply) =>
      sendOn(reply, environment, await examine(environment, request)),
    );
  }

  async function examine(environment: Environment, request: FastifyRequest): Promise<Found> {
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
      const found = await Promise.race([options.look({ environment, reference }), late.promise]);
      if (found === 'late') return { verdict: 'pending', ...NOTHING };
      if (found === null || found.status !== null) return { ...NOTHING, ...found, verdict: verdictOf(found) };
      known = found;
      if (!questions.take(clock.nowMs())) onOverBudget?.();
      else {
        const said = await Promise.race([options.check({ environment, reference }), late.promise]);
        if (said !== 'late') known = said;
      }
      return { ...known, verdict: verdictOf(known) };
    } catch (error) {
      onFailed?.(error);
      return { ...NOTHING, ...known, verdict: 'pending' };
    } finally {
      late.cancel();
      underway--;
    }
  }

  function sendOn(reply: FastifyReply, environment: Environment, found: Found) {
    const { verdict, reference, amount, currency } = found;
    const expiresAtMs = clock.nowMs() + options.ttlSeconds * 1_000;
    const token = signVerdict({ verdict, environment, reference, amount, currency, expiresAtMs }, options.secret);
    onReturned?.(verdict);
    const target = new URL(options.page);
    target.searchParams.set('verdict', token);
    return reply.headers(HEADERS).redirect(target.href, 303);
  }
};

/** The one parameter that is looked at, and only if it can be a reference; `status` and the others say nothing. */
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
