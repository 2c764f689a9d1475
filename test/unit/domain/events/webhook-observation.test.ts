import { expect, test } from 'vitest';
import { readEvent } from '../../../../src/domain/events/event.ts';
import {
  contradictingObservation,
  type KeptContent,
  observationOf,
} from '../../../../src/domain/events/webhook-observation.ts';

const content = (body: object, over: Partial<KeptContent> = {}): KeptContent => ({
  source: 'events',
  id: 3,
  eventId: 2,
  environment: 'test',
  event: readEvent(Buffer.from(JSON.stringify(body)), 'test'),
  receivedAtMs: 5,
  ...over,
});
const data = { refund_reference: 'R', status: 'failed', updated_at: '2026-07-01T10:00:00Z' };
const failed = { event: 'refund.failed', data };
const elsewhere = { event: 'refund.failed', data: { ...data, domain: 'live' } };

test('an event makes the observation of its record under its own key', () => {
  expect(observationOf(content(failed), 'UTC')).toMatchObject({
    kind: 'refund',
    environment: 'test',
    reference: 'R',
    eventId: 2,
    observation: {
      witness: 'webhook',
      identity: 'event 3',
      eventKey: 'refund.failed 2026-07-01T10:00:00Z',
      answer: null,
      stated: { status: 'failed', time: '2026-07-01T10:00:00Z' },
    },
  });
});

test('a variant has the key of its event and an identity of its own', () => {
  const [event, variant] = [content(failed), content(failed, { source: 'variants' })].map((one) =>
    observationOf(one, 'UTC'),
  );
  expect(variant?.observation.identity).toBe('variant 3');
  expect(variant?.observation.eventKey).toBe(event?.observation.eventKey);
});

test('what is quarantined or of no known kind makes no observation', () => {
  for (const body of [elsewhere, { event: 'invoice.paid', data }, { event: 'refund.failed', data: {} }, []])
    expect(observationOf(content(body), 'UTC')).toBeNull();
});

test('beside another content, one that names the other environment states nothing but that', () => {
  expect(contradictingObservation(content(elsewhere))).toMatchObject({
    kind: 'refund',
    reference: 'R',
    observation: {
      identity: 'event 3',
      stated: {
        ...{ status: null, time: null, facts: {}, details: {}, times: {}, unreadable: [], contradiction: false },
        otherEnvironment: true,
      },
    },
  });
});

test('any other content contradicts no environment', () => {
  for (const body of [
    failed,
    { event: 'refund.failed', data: {} },
    { event: 'invoice.paid', data: { ...data, domain: 'live' } },
  ])
    expect(contradictingObservation(content(body))).toBeNull();
});
