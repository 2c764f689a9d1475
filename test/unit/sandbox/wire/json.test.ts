import { describe, expect, it } from 'vitest';
import {
  canonicalJson,
  decodeJson,
  encodeJson,
  encodeWebhookJson,
  WireNumber,
} from '../../../../src/sandbox/wire/json.ts';

describe('the JSON of the service', () => {
  it('keeps number tokens exact in both directions', () => {
    const text = '{"amount":90071992547409.93,"fee":1.10}';
    expect((decodeJson(text) as { amount: WireNumber }).amount.token).toBe('90071992547409.93');
    expect(encodeJson(decodeJson(text))).toBe(text);
  });

  it('escapes slashes and everything beyond ASCII in webhooks, and means the same', () => {
    const value = { url: 'https://a/b', name: 'Café ₦ 😀', amount: new WireNumber('10.5') };
    const text = encodeWebhookJson(value);
    expect(text).toBe('{"url":"https:\\/\\/a\\/b","name":"Caf\\u00e9 \\u20a6 \\ud83d\\ude00","amount":10.5}');
    expect(JSON.parse(text)).toEqual({ ...value, amount: 10.5 });
  });

  it('has one canonical text for one content', () => {
    expect(canonicalJson(decodeJson('{"b":[1,null,"x"],"a":{"d":2,"c":true}}'))).toBe(
      '{"a":{"c":true,"d":2},"b":[1,null,"x"]}',
    );
  });
});
