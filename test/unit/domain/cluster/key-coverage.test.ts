import { expect, test } from 'vitest';
import { keyCoverage } from '../../../../src/domain/cluster/key-coverage.ts';
import { nodeKeyOf, readNodeKey } from '../../../../src/domain/cluster/node-key.ts';
import { Secret } from '../../../../src/domain/secrets/secret.ts';

const pair = (id: string, secret: string) =>
  readNodeKey(
    nodeKeyOf({ id, environment: 'live', publicKey: 'pk_live_1', secretKey: new Secret(secret), notAfter: null }),
  );

test('a machine without a pair, and one with other keys under its id, are named', () => {
  const holders = [
    { name: 'one', keys: [pair('old', 'a'), pair('new', 'b')] },
    { name: 'two', keys: [pair('old', 'a')] },
    { name: 'three', keys: [pair('old', 'typed wrong'), pair('new', 'b')] },
  ];
  expect(keyCoverage(holders)).toEqual([
    { id: 'new', on: ['one', 'three'], missingOn: ['two'], otherOn: [] },
    { id: 'old', on: ['one', 'two'], missingOn: [], otherOn: ['three'] },
  ]);
});

test('the keys of most machines are the right ones of an id, also where the first machine has others', () => {
  const keys = ['typed wrong', 'a', 'a'].map((secret) => pair('old', secret));
  const holders = ['one', 'two', 'three'].map((name, at) => ({ name, keys: keys.slice(at, at + 1) }));
  expect(keyCoverage(holders)).toEqual([{ id: 'old', on: ['two', 'three'], missingOn: [], otherOn: ['one'] }]);
});

test('a key pair is named without its keys', () => {
  expect(
    nodeKeyOf({ id: 'k', environment: 'test', publicKey: 'pk_1', secretKey: new Secret('sk_1'), notAfter: null }),
  ).toMatch(/^k:[0-9a-f]{8}$/);
});
