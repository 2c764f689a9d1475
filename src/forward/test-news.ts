import type { Parcel } from './deliver.ts';

/** News of type `tallyhook.test`: every member of a payload, about no record. */
export function testNews(webhookId: string): Parcel {
  const about = { environment: 'test', kind: 'unknown', reference: 'tallyhook-test' } as const;
  const nothing = { reported: null, confirmed: null, confirmedAt: null, previous: null, findings: [], data: null };
  const links = { supersedes: [], missing: [], replayed: false, n: null };
  const news = { id: webhookId, type: 'tallyhook.test', ...about, ...nothing, ...links };
  return { webhookId, ...about, body: Buffer.from(JSON.stringify(news)) };
}
