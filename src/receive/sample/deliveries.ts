import type { KeyPair } from '../../domain/environment.ts';
import { Secret } from '../../domain/secrets/secret.ts';
import { signWebhook } from '../signature.ts';
import { type CollectionShape, type SampleEvent, type SampleFacts, sampleBody } from './sample.ts';

export interface SampleOrder {
  readonly event: SampleEvent;
  readonly keyPair: KeyPair;
  /** Distinct events; with `reference` they are successive updates of that one record. */
  readonly count: number;
  /** Further deliveries of each event. */
  readonly duplicates: number;
  readonly disorder: boolean;
  readonly wrongSignature: boolean;
  readonly mutateBody: boolean;
  /** Adds to each event a delivery with the same key and another amount (decisions 20). */
  readonly variant: boolean;
  readonly reference?: string | undefined;
  readonly amountMinor: bigint;
  readonly currency?: string | undefined;
  /** Any text; default: successive seconds from `now`. */
  readonly updatedAt?: string | undefined;
  readonly shape?: CollectionShape | undefined;
}

export interface SampleDelivery {
  readonly reference: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** The status of a correct receiver's response. */
  readonly expectedStatus: 200 | 401;
}

/** Returns the deliveries of one `trigger`. Pure: `random` returns numbers in [0, 1), `now` is the time. */
export function sampleDeliveries(order: SampleOrder, random: () => number, now: Date): SampleDelivery[] {
  const context = { order, random, now };
  const deliveries = Array.from({ length: order.count }, (_, index) => {
    const facts = factsOf(context, index);
    const bodies = Array<string>(1 + order.duplicates).fill(sampleBody(facts));
    if (order.variant) bodies.push(sampleBody({ ...facts, amountMinor: facts.amountMinor + 1n }));
    return bodies.map((body) => delivery(facts.reference, Buffer.from(body), context));
  }).flat();
  return order.disorder ? shuffled(deliveries, random) : deliveries;
}

interface SampleContext {
  readonly order: SampleOrder;
  readonly random: () => number;
  readonly now: Date;
}

/** Returns a generator of numbers in [0, 1), the same for the same seed (mulberry32). Not for secrets. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function factsOf({ order, random, now }: SampleContext, index: number): SampleFacts {
  const { event, keyPair, reference, shape, currency, updatedAt } = order;
  const successive = new Date(now.getTime() + index * 1000).toISOString().replace('Z', '000Z'); // microseconds, as observed
  return {
    event,
    environment: keyPair.environment,
    reference: reference ?? `sample-${randomDigits(random)}${randomDigits(random)}`,
    amountMinor: order.amountMinor,
    currency: currency ?? (event.startsWith('refund.') ? 'USD' : 'NGN'), // only USD is refundable (interface 4.4)
    updatedAt: updatedAt ?? successive,
    timedPayout: order.variant || updatedAt !== undefined,
    ...(shape === undefined ? {} : { shape }),
  };
}

function delivery(reference: string, signed: Buffer, { order, random, now }: SampleContext): SampleDelivery {
  const { keyPair, wrongSignature, mutateBody } = order;
  const wrongKey = () => new Secret(`sk_${keyPair.environment}_${randomDigits(random)}`);
  const secretKey = wrongSignature ? wrongKey() : keyPair.secretKey;
  const signatures = signWebhook(signed, { publicKey: keyPair.publicKey, secretKey });
  const expired = keyPair.notAfter !== null && now.getTime() > Date.parse(keyPair.notAfter);
  return {
    reference,
    body: mutateBody ? withOneDigitChanged(signed, random) : signed,
    headers: { 'Content-Type': 'application/json', ...signatures, timestamp: now.toISOString() },
    expectedStatus: wrongSignature || mutateBody || expired ? 401 : 200,
  };
}

/** Changes one digit, so that the body stays well-formed JSON and only its signature is wrong. */
function withOneDigitChanged(body: Buffer, random: () => number): Buffer {
  const digits = [...body.keys()].filter((at) => isDigit(body[at]) && body[at - 1] !== 0x5c && isDigit(body[at - 1]));
  const at = digits[Math.floor(random() * digits.length)] ?? body.length - 1;
  const changed = Buffer.from(body);
  changed[at] = isDigit(body[at]) ? 0x30 + (((body[at] ?? 0) - 0x30 + 1) % 10) : 0x20;
  return changed;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function randomDigits(random: () => number): string {
  return Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const pick = Math.floor(random() * (last + 1));
    [result[last], result[pick]] = [result[pick] as Item, result[last] as Item];
  }
  return result;
}
