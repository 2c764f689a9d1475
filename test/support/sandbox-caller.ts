import type { Environment, Sandbox } from '../../src/sandbox/index.ts';
import { checkAnswer } from './openapi.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of many shapes, which the document checks
  readonly body: any;
}

export interface SandboxCall {
  readonly method?: string;
  readonly body?: unknown;
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly environment?: Environment;
}

/** Calls a sandbox over HTTP as a merchant would; every answer is checked against docs/openapi.yaml. */
export function callerOf(sandbox: Sandbox) {
  return async (path: string, call: SandboxCall = {}): Promise<Answer> => {
    const { body, environment = 'test', headers } = call;
    const method = call.method ?? (body === undefined ? 'GET' : 'POST');
    const key = call.key === undefined ? sandbox.keys[environment].secretKey : call.key;
    const response = await fetch(sandbox.url + path, {
      method,
      redirect: 'manual',
      headers: {
        'Content-Type': 'application/json',
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const type = response.headers.get('content-type') ?? '';
    checkAnswer(method, path, response.status, type, text);
    const isJson = type.startsWith('application/json');
    return { status: response.status, text, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
}

export const APPROVED = '4000000000000002';
export const DECLINED = '4000000000000010';
export const RECURRING = '4000000000000028';

/** Encrypts a card with the helper and charges it, over HTTP. */
export async function payByCard(
  sandbox: Sandbox,
  payment: {
    reference: string;
    amount?: string;
    currency?: string;
    card?: string;
    status?: string;
    environment?: Environment;
  },
): Promise<Answer> {
  const call = callerOf(sandbox);
  const { reference, amount = '20.00', currency = 'USD', card = APPROVED, status, environment = 'test' } = payment;
  const data = { number: card, expiryMonth: '12', expiryYear: '99', cvv: '123' };
  const payload = await call('/api/s2s/v1/test/encryption', { body: { data, reference } });
  const email = 'ada@example.com';
  const body = { email, amount, currency, reference, card: payload.text, ...(status === undefined ? {} : { status }) };
  return call('/api/s2s/v1/transaction/initialize', { body, environment });
}
