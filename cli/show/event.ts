import { keyTimestamp } from '../../src/domain/events/event.ts';
import { maskedBody } from '../../src/domain/text/privacy.ts';
import { eventStateText, moveText } from '../../src/lists/events.ts';
import type { AsideDelivery } from '../../src/store/aside.ts';
import type { EventDetail, EventSummary, Variant } from '../../src/store/events.ts';
import { bold, print, printBodyText, printFacts, printTitle } from './output.ts';
import { findingJson, printFindings, recordJson, type Shown } from './record.ts';
import { isoTime, serviceTime, time } from './text.ts';

export function eventJson(event: EventSummary) {
  const { receivedAtMs, lastReceivedAtMs } = event;
  return {
    id: event.id,
    environment: event.environment,
    event: event.event,
    reference: event.reference,
    updatedAt: event.updatedAt,
    kind: event.kind,
    state: event.state,
    quarantine: event.quarantine,
    status: event.status,
    keyId: event.keyId,
    merchantSignature: event.merchantSignature,
    sentAt: event.sentAt,
    receivedAt: isoTime(receivedAtMs),
    lastReceivedAt: isoTime(lastReceivedAtMs),
    deliveries: event.deliveries,
    variants: event.variants,
    prunedAt: isoTime(event.prunedAtMs),
  };
}

export function eventDetailJson(event: EventDetail, shown: Shown) {
  return {
    ...eventJson(event),
    ...bodyJson(event, shown),
    contents: event.contents.map((variant) => ({
      id: variant.id,
      contentDigest: variant.contentDigest,
      keyId: variant.keyId,
      merchantSignature: variant.merchantSignature,
      sentAt: variant.sentAt,
      receivedAt: isoTime(variant.receivedAtMs),
      lastReceivedAt: isoTime(variant.lastReceivedAtMs),
      deliveries: variant.deliveries,
      prunedAt: isoTime(variant.prunedAtMs),
      ...bodyJson(variant, shown),
    })),
    record: event.record === null ? null : recordJson(event.record, shown),
    move: event.move,
    findings: event.findings.map((finding) => findingJson(finding, shown)),
  };
}

type Body = Pick<Variant, 'body' | 'bodyDigest' | 'prunedAtMs'>;

/** The exact bytes are in it with --reveal only, because base64 cannot be masked. */
function bodyJson({ body, bodyDigest, prunedAtMs }: Body, shown: Shown) {
  if (prunedAtMs !== null) return { bytes: 0, bodyDigest, body: null, bodyBase64: null };
  return {
    bytes: body.length,
    bodyDigest,
    body: bodyText(body, shown),
    bodyBase64: shown.reveal ? Buffer.from(body).toString('base64') : null,
  };
}

/** A delivery that was set aside; its bytes as base64 only with `reveal`, since they may hold personal data. */
export function asideJson({ reveal }: Shown) {
  return ({ id, setAsideAtMs, reason, environment, keyId, receivedAtMs, retryAtMs, bytes }: AsideDelivery) => ({
    ...{ id, setAsideAt: isoTime(setAsideAtMs), environment, keyId, receivedAt: isoTime(receivedAtMs), reason },
    retryAt: isoTime(retryAtMs),
    bytes: bytes.byteLength,
    bytesBase64: reveal ? Buffer.from(bytes).toString('base64') : null,
  });
}

/** An event on one line, for a stream. */
export function eventLine(event: EventSummary): string {
  const { id, receivedAtMs, environment, reference, status } = event;
  const line = [
    time(receivedAtMs),
    environment,
    event.event,
    reference,
    status ?? '-',
    eventStateText(event),
    `#${id}`,
  ];
  return line.join('  ').replaceAll('\n', '\ufffd');
}

export function printEvent(event: EventDetail, shown: Shown): void {
  printTitle(`event ${event.id}  ${event.event.replaceAll('\n', '\ufffd')}`);
  const signed = event.merchantSignature === 'verified' ? 'merchantSignature verified' : 'no merchantSignature';
  printFacts([
    ['environment', event.environment],
    ['reference', event.reference],
    ['updated at', updatedText(event)],
    ['received', time(event.receivedAtMs)],
    ['deliveries', event.deliveries === 1 ? 1 : `${event.deliveries}, the last ${time(event.lastReceivedAtMs)}`],
    ['verdict', `authentic: signed by ${event.keyId}, ${signed}`],
    ['sent at', event.sentAt === null ? null : `${serviceTime(event.sentAt)} (not signed)`],
    ['state', eventStateText(event)],
    ['status', event.status],
    ['moved', moveText(event)],
  ]);
  printFindings(event.findings, shown);
  printBody('Body', event, shown);
  for (const variant of event.contents) {
    const { id, keyId, receivedAtMs, deliveries } = variant;
    printBody(`Variant ${id}, signed by ${keyId}, received ${time(receivedAtMs)}, ${deliveries} ×`, variant, shown);
  }
}

/** The time in the key; a digest stands for one that cannot be read. */
function updatedText(event: EventSummary): string {
  const updated = keyTimestamp(event);
  return updated.kind === 'unreadable' ? event.updatedAt : serviceTime(updated.text);
}

function printBody(title: string, { body, bodyDigest, prunedAtMs }: Body, shown: Shown): void {
  if (prunedAtMs !== null) {
    print(`\n${bold(title)} (pruned ${time(prunedAtMs)}; its sha256 was ${bodyDigest})`);
    return;
  }
  const exact = Buffer.from(body).toString('utf8');
  const text = bodyText(body, shown);
  const remark = text === exact ? '' : '; masked, --reveal shows it in full';
  print(`\n${bold(title)} (${body.length} bytes, sha256 ${bodyDigest}${remark})`);
  printBodyText(text);
}

function bodyText(body: Uint8Array, { reveal }: Shown): string {
  const text = Buffer.from(body).toString('utf8');
  return reveal ? text : maskedBody(text);
}
