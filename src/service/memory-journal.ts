import type { CollectionVersion, KeptRequest, RequestJournal } from '../domain/request.ts';

const MOST_KEPT = 10_000;

/**
 * A journal that does not outlive the process and tracks nothing: for tests, and for callers who keep idempotency keys
 * themselves and pass them with each request.
 */
export function memoryJournal(): RequestJournal {
  const requests = new Map<string, KeptRequest>();
  const versions = new Map<string, CollectionVersion>();

  return {
    async begin({ kind, environment, contentDigest, key: own, proposedKey, nowMs }) {
      const slot = (key: string) => `${kind} ${environment} ${key}`;
      const mine = [...requests].filter(([name]) => name.startsWith(slot('')));
      const open = mine.find(([, kept]) => kept.contentDigest === contentDigest && kept.state === 'open');
      const key = own ?? open?.[1].key ?? proposedKey;
      const known = requests.get(slot(key));
      const again = known !== undefined && !(kind === 'payout' && known.state === 'refused');
      const kept: KeptRequest = again
        ? { ...known, attempts: known.attempts + 1 }
        : { key, contentDigest, state: 'open', recordReference: null, createdAtMs: nowMs, attempts: 1 };
      requests.set(slot(key), kept);
      forgetOldest(requests, ({ state }) => state !== 'open');
      return kept;
    },
    async settle({ kind, environment, key, state, record }) {
      const known = requests.get(`${kind} ${environment} ${key}`);
      if (known === undefined) return;
      const recordReference = record?.reference ?? known.recordReference;
      requests.set(`${kind} ${environment} ${key}`, { ...known, state, recordReference });
    },
    async track() {},
    async knowsRefund(environment, refundReference) {
      const mine = [...requests].filter(([name]) => name.startsWith(`refund ${environment} `));
      return mine.some(([, kept]) => kept.recordReference === refundReference);
    },
    async pinVersion(environment, reference, version) {
      const pinned = versions.get(`${environment} ${reference}`) ?? version;
      versions.set(`${environment} ${reference}`, pinned);
      forgetOldest(versions, () => true);
      return pinned;
    },
  };
}

/** Open requests stay: forgetting one would allow a second refund. */
function forgetOldest<Value>(kept: Map<string, Value>, mayGo: (value: Value) => boolean): void {
  if (kept.size <= MOST_KEPT) return;
  for (const [name, value] of kept) {
    if (!mayGo(value)) continue;
    kept.delete(name);
    return;
  }
}
