import { afterAll } from 'vitest';
import { parseAmount } from '../../src/domain/money/amount.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { newReference } from '../../src/service/calls/references.ts';
import { type Checkout, createCheckout, type PublicKey } from '../../src/service/checkout.ts';
import { type Client, type ClientOptions, createClient } from '../../src/service/client.ts';
import { memoryJournal } from '../../src/service/journal/memory.ts';

export interface Service {
  readonly sandbox: Sandbox;
  /** A client with the test key; limits are short, so that a hanging test fails and does not wait. */
  readonly client: Client;
  readonly checkout: Checkout;
  clientWith(options: Partial<ClientOptions>): Client;
}

/** A sandbox with a manual clock and clients for it; it ends with the test file. */
export async function startService(options: SandboxOptions = {}): Promise<Service> {
  const sandbox = await startSandbox({ seed: 7, clock: 'manual', ...options });
  afterAll(() => sandbox.close());
  const clientWith = (over: Partial<ClientOptions>) =>
    createClient({
      baseUrl: sandbox.url,
      secretKey: sandbox.keys.test.secretKey,
      journal: memoryJournal(),
      timeoutMs: 5_000,
      retryDelayMs: 1,
      ...over,
    });
  const publicKey = sandbox.keys.test.publicKey as PublicKey;
  return { sandbox, clientWith, client: clientWith({}), checkout: createCheckout({ baseUrl: sandbox.url, publicKey }) };
}

export const APPROVED_CARD = { number: '4000000000000002', expiryMonth: '12', expiryYear: '99', cvv: '123' };
export const DECLINED_CARD = { ...APPROVED_CARD, number: '4000000000000010' };
export const UNKNOWN_CARD = { ...APPROVED_CARD, number: '4999999999999996' };

/** Calls that many tests of collections make. */
export function collectionsOf({ collections }: Client) {
  return {
    cardFor: (reference: string, card = APPROVED_CARD) => collections.encryptTestCard({ card, reference }),
    statusOf: async (reference: string) => (await collections.verify(reference)).status,
  };
}

export interface Paid {
  readonly amount?: string;
  readonly currency?: string;
  readonly status?: 'success' | 'failed' | 'pending';
  readonly card?: typeof APPROVED_CARD;
}

/** Pays by card, and returns the payment's reference. */
export async function payByCard(
  client: Client,
  { amount = '20.00', currency = 'USD', status, card: details }: Paid = {},
) {
  const reference = newReference('card');
  const card = await client.collections.encryptTestCard({ card: details ?? APPROVED_CARD, reference });
  const email = 'ada@example.com';
  await client.collections.card({ email, amount: parseAmount(amount), currency, reference, card, status });
  return reference;
}

/** The error of a rejected promise; fails when the promise resolves. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('It was expected to fail, and did not.');
    },
    (error: unknown) => error,
  );
}

/** Returns all items of an iteration. */
export async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
