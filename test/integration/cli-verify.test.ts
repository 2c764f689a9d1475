import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { signWebhook } from '../../src/receive/signature.ts';
import { command } from '../support/command.ts';
import { testKeyPair } from '../support/key-pairs.ts';
import { tallyhook } from '../support/tallyhook.ts';

const cwd = mkdtempSync(join(tmpdir(), 'tallyhook-verify-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const pair = testKeyPair();
const env = { TALLYHOOK_TEST_PUBLIC_KEY: pair.publicKey, TALLYHOOK_TEST_SECRET_KEY: pair.secretKey.reveal() };
const BODY = '{"event":"refund.success","data":{"refund_reference":"R\\/1"}}';
const { payloadSignature, merchantSignature } = signWebhook(Buffer.from(BODY), pair);

writeFileSync(join(cwd, 'body.json'), BODY);
writeFileSync(
  join(cwd, 'headers.txt'),
  `POST /webhooks/test HTTP/1.1\r\nHost: x\r\npayloadSignature: ${payloadSignature}\r\nMERCHANTSIGNATURE: ${merchantSignature}\r\n`,
);
writeFileSync(join(cwd, 'headers.json'), JSON.stringify({ payloadSignature, merchantSignature }));
writeFileSync(join(cwd, 'pairs.json'), JSON.stringify(Object.entries({ payloadSignature, merchantSignature })));
writeFileSync(join(cwd, 'twice.txt'), `payloadSignature: ${payloadSignature}\npayloadSignature: ${payloadSignature}\n`);
writeFileSync(join(cwd, 'rewritten.json'), JSON.stringify(JSON.parse(BODY), null, 2));

test.each([
  ['header lines', ['body.json', '--headers', 'headers.txt']],
  ['a JSON object', ['body.json', '--headers', 'headers.json']],
  ['a JSON list of pairs', ['body.json', '--headers', 'pairs.json']],
  ['options', ['body.json', '--payload-signature', payloadSignature, '--merchant-signature', merchantSignature]],
  ['the body from stdin', ['-', '--payload-signature', payloadSignature, '--merchant-signature', merchantSignature]],
])('a valid delivery ends with 0 and names the key: %s', async (_what, args) => {
  const { code, stdout, stderr } = await tallyhook(['verify', ...args], { cwd, env, input: BODY });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^valid\n {2}\d+ bytes, signed by test-1 \(test\)/);
});

test.each([
  [
    'a rewritten body',
    ['rewritten.json', '--headers', 'headers.txt'],
    /right for this body as compact JSON.*\n.*nginx/,
  ],
  ['a repeated header', ['body.json', '--headers', 'twice.txt'], /repeated_payload_signature/],
  [
    'no merchantSignature with a refund',
    ['body.json', '--payload-signature', payloadSignature],
    /^invalid: missing_merchant_signature\n {2}There is no merchantSignature header, which an event of this kind must carry; payloadSignature is right/,
  ],
  [
    'merchantSignature alone',
    ['body.json', '--merchant-signature', merchantSignature],
    /^invalid: missing_payload_signature\n {2}There is no payloadSignature header\.\n/,
  ],
  ['a cut signature', ['body.json', '--payload-signature', payloadSignature.slice(0, 99)], /99 hexadecimal characters/],
])('an invalid one ends with 1 and says why: %s', async (_what, args, message) => {
  const { code, stdout } = await command(['verify', ...args], { cwd, env });
  expect(code).toBe(1);
  expect(stdout).toMatch(message);
});

test('--json', async () => {
  const valid = await command(['verify', 'body.json', '--headers', 'headers.txt', '--json'], { cwd, env });
  expect(JSON.parse(valid.stdout)).toEqual({
    valid: true,
    bytes: BODY.length,
    keyId: 'test-1',
    environment: 'test',
    merchantSignaturePresent: true,
    reason: null,
    verdicts: [],
  });
  const invalid = await command(['verify', 'rewritten.json', '--headers', 'headers.txt', '--json'], { cwd, env });
  expect(invalid.code).toBe(1);
  expect(JSON.parse(invalid.stdout)).toMatchObject({
    valid: false,
    keyId: null,
    reason: 'payload_signature_mismatch',
    verdicts: [{ code: 'body_reserialised', keyId: 'test-1' }],
  });
});

test.each([
  ['no signature', ['verify', 'body.json'], env, 2, /Which signature\?/],
  ['no keys', ['verify', 'body.json', '--headers', 'headers.txt'], {}, 2, /has no key pair/],
  ['no such file', ['verify', 'nothing.json', '--headers', 'headers.txt'], env, 2, /Cannot read nothing\.json/],
])('refused: %s', async (_what, args, environment, expected, message) => {
  const { code, stderr } = await command(args, { cwd, env: environment });
  expect(code).toBe(expected);
  expect(stderr).toMatch(message);
});

test('no more than the body limit is read of a file', async () => {
  const large = join(cwd, 'large.body');
  writeFileSync(large, '');
  truncateSync(large, 3 * 1024 ** 3); // more than one buffer can hold; sparse on the disk
  const { code, stdout, stderr } = await command(['verify', 'large.body', '--headers', 'headers.txt'], { cwd, env });
  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    expect.stringMatching(/^tallyhook: large\.body has more than 1.*M.*\n.*413/),
  ]);
  expect(await command(['verify', 'nothing.body'], { cwd, env })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Cannot read nothing\.body: it does not exist/),
  });
});
