import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Secret } from '../../../../src/domain/secrets/secret.ts';

test('no conversion of a secret to text contains it', () => {
  const text = 'sk_test_canary0123456789';
  const secret = new Secret(text);
  const shown = [
    String(secret),
    `${secret}`,
    JSON.stringify({ secret }),
    inspect({ deep: [secret] }, { showHidden: true, depth: 9 }),
    Object.values(secret).join(),
    JSON.stringify(Object.getOwnPropertyDescriptors(secret)),
  ];
  for (const one of shown) expect(one).not.toContain('canary');
  expect(String(secret)).toBe('sk_test_… (24 characters)');
  expect(String(new Secret('hunter2'))).toBe('… (7 characters)');
  expect(secret.reveal()).toBe(text);
});

test('an object of a secret shows its length in JSON and in a log', () => {
  const secret = new Secret('hunter2');
  expect(JSON.stringify({ secret })).toBe('{"secret":"… (7 characters)"}');
  expect(inspect(secret)).toBe('… (7 characters)');
});

test('only a text is a secret', () => {
  expect(() => new Secret(7 as unknown as string)).toThrow('The text of a Secret is a number, and must be a text.');
});
