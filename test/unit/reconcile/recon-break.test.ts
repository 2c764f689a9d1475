import { expect, test } from 'vitest';
import type { Item } from '../../../src/domain/reconciling/break.ts';
import { itemWords } from '../../../src/reconcile/recon-break.ts';

const stuck = (status: string, detail: string | null): Item => ({
  facts: { code: 'stuck', sub: null, side: 'ours', field: 'status', ours: status, theirs: null, detail },
  ...{ kind: 'collection', environment: 'live', reference: 'ORD-1', recordId: 1, currency: 'NGN', minor: 100n },
  ...{ firstSeen: '2026-10-10', place: null },
});

test.each([
  ['pending', null, 'this collection is pending; the service should have settled it by 2026-10-10'],
  [
    'success',
    'the service has not confirmed it',
    'the webhooks report success; the service has not confirmed it, and should have by 2026-10-10',
  ],
])('a record that is stuck in %s says what is missing', (status, detail, sentence) => {
  expect(itemWords(stuck(status, detail)).reason).toBe(sentence);
  expect(itemWords(stuck(status, detail)).nextStep).toBe(
    'Ask the service again (tallyhook sweep --reference ORD-1), then ask its support about this collection.',
  );
});

test.each([
  ['batch', /^Import the settlement statement that has its batch\. If the service did not pay it: let `types`/],
  ['top_up', /^Import the statement of the wallet of that day\. If it went elsewhere: let `types`/],
  ['payout', /^Ask the service about it: tallyhook why BNK-1; if it knows none, ask who sent the file\.$/],
] as const)('a line that no %s of ours has says where to look', (kind, sentence) => {
  const facts = {
    code: 'missing_internal',
    sub: null,
    side: 'theirs',
    field: 'reference',
    ours: null,
    theirs: null,
  } as const;
  const place = { leg: 'leg', account: 'bank', effect: 100n, line: null, candidates: [], names: 'f' };
  const item = {
    ...stuck('', null),
    facts: { ...facts, detail: null },
    kind,
    reference: 'BNK-1',
    recordId: null,
    place,
  };
  expect(itemWords(item).nextStep).toMatch(sentence);
});
