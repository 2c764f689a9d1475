import { expect, test } from 'vitest';
import { newsOf } from '../../../src/domain/forward-body.ts';

test('an event that makes no record is forwarded without data and without a place in a history', () => {
  const news = newsOf({
    webhookId: 'msg_1',
    type: 'service.notice',
    environment: 'test',
    kind: 'unknown',
    reference: 'sha256:00',
    move: null,
    event: { previous: null, updatedAt: 'sha256:00' },
    record: null,
    openFindings: [],
    supersedes: [],
    missing: [],
    replayed: false,
  });
  expect(news).toEqual({
    id: 'msg_1',
    type: 'service.notice',
    environment: 'test',
    kind: 'unknown',
    reference: 'sha256:00',
    reported: null,
    confirmed: null,
    confirmedAt: null,
    previous: null,
    findings: [],
    data: null,
    supersedes: [],
    missing: [],
    replayed: false,
    n: null,
    updatedAt: 'sha256:00',
  });
});
