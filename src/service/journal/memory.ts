import type {
  CollectionVersion,
  KeptKind,
  KeptRequest,
  RequestIntent,
  RequestJournal,
  RequestState,
} from '../../domain/request.ts';
import { JournalFullError } from '../errors/usage-errors.ts';

export interface MemoryJournalOptions {
  /**
   * Requests kept. Above it the oldest settled one is dropped, else the oldest open collection; open refunds and payouts
   * are never dropped, and a new request is refused when only they are left. Default 10,000.
   */
  readonly mostKept?: number;
}

interface Kept extends KeptRequest {
  readonly kind: KeptKind;
  /** Kind and environment. */
  readonly scope: string;
}

/**
 * Returns a journal that ends with the process and tracks nothing: for tests, and for callers that keep idempotency keys
 * themselves and pass them with each request. `begin` throws JournalFullError above `mostKept`.
 */
export function memoryJournal({ mostKept = 10_000 }: MemoryJournalOptions = {}): RequestJournal {
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
      const resumed = (state: RequestState) => {
        const isSame = (kept: Kept) => kept.contentDigest === intent.contentDigest && kept.scope === scope;
        return requests.values().find((kept) => kept.state === state && isSame(kept))?.key;
      };
      const key = intent.key ?? resumed('open') ?? resumed('accepted') ?? intent.proposedKey;
      const known = requests.get(`${scope} ${key}`);
      if (known === undefined) makeRoom();
      const kept = begun(known, key, intent);
      requests.set(`${scope} ${key}`, kept);
      return kept;
    },
    async settle({ state, attempts, record, ...settled }) {
      const name = `${scopeOf(settled)} ${settled.key}`;
      const known = requests.get(name);
      if (known === undefined || (known.state === 'accepted' && state !== 'accepted')) return;
      if (state === 'refused' && known.attempts !== attempts) return;
      requests.set(name, { ...known, state, recordReference: record?.reference ?? known.recordReference });
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

/** Follows the journal on disk: a refused request begins anew, with other content only where the key is a reference. */
function begun(known: Kept | undefined, key: string, intent: RequestIntent): Kept {
  const { kind, contentDigest, nowMs } = intent;
  const same = known?.contentDigest === contentDigest;
  const anew = known?.state === 'refused' && (kind !== 'refund' || same);
  if (known !== undefined && !anew) return { ...known, attempts: known.attempts + Number(same) };
  const { recordReference = null } = known ?? {};
  const scope = scopeOf(intent);
  return { kind, scope, key, contentDigest, state: 'open', recordReference, createdAtMs: nowMs, attempts: 1 };
}
