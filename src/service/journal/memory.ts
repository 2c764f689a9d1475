import type { CollectionVersion, KeptKind, RequestJournal } from '../../domain/requests/request.ts';
import { begunRequest, type RequestFacts, requestKey, settledRequest } from '../../domain/requests/request-state.ts';
import { requireOptions } from '../calls/arguments.ts';
import { JournalFullError, RequestRefusedError } from '../errors/usage-errors.ts';

export interface MemoryJournalOptions {
  /**
   * Requests kept. Above it the oldest settled one is dropped, else the oldest open collection; open refunds and payouts
   * are never dropped, and a new request is refused when only they are left. Default 10,000.
   */
  readonly mostKept?: number;
}

interface Kept extends RequestFacts {
  readonly kind: KeptKind;
  /** Kind and environment. */
  readonly scope: string;
}

/**
 * Returns a journal that ends with the process and tracks nothing: for tests, and for callers that keep idempotency keys
 * themselves and pass them with each request. `begin` throws JournalFullError above `mostKept`.
 */
export function memoryJournal(options: MemoryJournalOptions = {}): RequestJournal {
  requireOptions(options, ['mostKept']);
  const { mostKept = 10_000 } = options;
  if (!Number.isInteger(mostKept) || mostKept < 1) {
    throw new RequestRefusedError('mostKept', 'must be a whole number from 1');
  }
  const requests = new Map<string, Kept>();
  const versions = new Map<string, CollectionVersion>();

  /** Keeps open refunds and payouts: dropping one would allow a second. */
  function makeRoom(): void {
    if (requests.size < mostKept) return;
    const oldest =
      requests.entries().find(([, { state }]) => state !== 'open') ??
      requests.entries().find(([, { kind }]) => kind === 'collection');
    if (oldest === undefined) throw new JournalFullError(mostKept);
    requests.delete(oldest[0]);
  }

  return {
    async begin(intent) {
      const scope = scopeOf(intent);
      const isSame = (kept: Kept) => kept.contentDigest === intent.contentDigest && kept.scope === scope;
      const key = requestKey(
        intent,
        (state) => requests.values().find((kept) => kept.state === state && isSame(kept))?.key,
      );
      const known = requests.get(`${scope} ${key}`) ?? null;
      if (known === null) makeRoom();
      const kept = { ...begunRequest(known, key, intent), kind: intent.kind, scope };
      requests.set(`${scope} ${key}`, kept);
      return kept;
    },
    async settle(settled) {
      const name = `${scopeOf(settled)} ${settled.key}`;
      const known = requests.get(name);
      const request = known && settledRequest(known, settled);
      if (known && request) requests.set(name, { ...known, ...request });
    },
    async knowsRefund(environment, refundReference) {
      const scope = scopeOf({ kind: 'refund', environment });
      return requests.values().some((kept) => kept.recordReference === refundReference && kept.scope === scope);
    },
    async pinVersion(environment, reference, version) {
      const pinned = versions.get(`${environment} ${reference}`) ?? version;
      versions.set(`${environment} ${reference}`, pinned);
      if (versions.size > mostKept) versions.delete(versions.keys().next().value ?? '');
      return pinned;
    },
  };
}

function scopeOf({ kind, environment }: { readonly kind: KeptKind; readonly environment: string }): string {
  return `${kind} ${environment}`;
}
