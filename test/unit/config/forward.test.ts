import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { ConfigurationError } from '../../../src/config/problems.ts';
import { webhookSecretBytes, webhookSecretProblem } from '../../../src/domain/forwarding/webhook-secret.ts';
import { httpTargets, targetRules } from '../../../src/forward/targets.ts';
import { clusterOf } from '../../../src/store/configured-store.ts';
import { SECRET, secretOf } from '../../support/consumer.ts';
import { temporaryFolder } from '../../support/folder.ts';

function load(yaml: string, env: Record<string, string> = {}) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'tallyhook.yaml'), yaml);
  return loadConfig({ env, cwd });
}

function problems(yaml: string): string[] {
  try {
    load(yaml);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(({ path, rule }) => `${path}: ${rule}`);
  }
}

test('name, url and secrets are enough; all else has its default', () => {
  const config = load(`forward: {targets: [{name: shop, url: https://shop.example/hook, secrets: ['\${S}']}]}`, {
    S: SECRET,
  });
  expect(config.forward).toMatchObject({ allowHttp: false, allowPrivate: false, app: { timeoutMs: 30_000 } });
  const [target] = httpTargets(config);
  expect(target).toMatchObject({
    name: 'shop',
    concurrency: 16,
    timeoutMs: 10_000,
    includeBody: false,
    policy: { allowHttp: false, allowPrivate: false },
    retry: { firstMs: 5_000, maxMs: 14_400_000, giveUpMs: 259_200_000 },
    breaker: { failures: 5, restMs: 30_000 },
  });
  expect(target?.secrets.map((secret) => secret.reveal())).toEqual([SECRET]);
  expect(targetRules(config, { withApp: true })).toEqual([
    { name: 'shop', environments: ['test', 'live'], kinds: ['refund', 'payout', 'collection'], when: 'confirmed', news: 'settled', events: null },
    { name: 'app', environments: ['test', 'live'], kinds: ['refund', 'payout', 'collection'], when: 'confirmed', news: 'settled', events: null },
  ]); // biome-ignore format: two lines to compare
});

test('a target may override what holds for all', () => {
  const config = load(`
forward:
  allowPrivate: true
  targets:
    - {name: a, url: 'http://10.0.0.1/', secrets: ['${SECRET}'], allowHttp: true}
    - {name: b, url: 'https://shop.example/', secrets: ['${secretOf('b')}'], allowPrivate: false}
`);
  expect(httpTargets(config).map(({ policy }) => policy)).toEqual([
    { allowHttp: true, allowPrivate: true },
    { allowHttp: false, allowPrivate: false },
  ]);
});

test('every mistake of every target is listed at once', () => {
  const found = problems(`
forward:
  targets:
    - {name: Shop, url: 'https://user:pw@shop.example/', secrets: ['${SECRET}']}
    - {name: twice, url: 'http://shop.example/', secrets: ['${SECRET}']}
    - {name: twice, url: 'http://169.254.169.254/', secrets: ['whsec_c2hvcnQ=', 'secret']}
    - {name: app, url: 'https://10.0.0.1/', secrets: []}
    - {name: facts, url: 'https://a.example/', secrets: ['${secretOf('d')}'], when: received, news: every, events: [refund.sucess, 'refnd.*', dispute.opened, refund.odd]}
    - {name: events, url: 'https://a.example/', secrets: ['${secretOf('e')}'], events: ['refund.*']}
`);
  const known = /: refund\.awaiting.*/;
  expect(found.map((line) => line.replace(known, '')).toSorted()).toEqual([
    'forward.targets[0].name: must be 1 to 40 small letters, digits and dashes, and begin with a letter or digit',
    'forward.targets[0].url: must not carry a user name or password',
    'forward.targets[1].secrets[0]: is used twice: it is also forward.targets[0].secrets[0]',
    'forward.targets[1].url: must start with https://, unless it is on this machine or allowHttp is set',
    'forward.targets[2].name: is the name of forward.targets[1]; each needs its own',
    'forward.targets[2].secrets[0]: must have at least 24 bytes after whsec_; it has 5',
    'forward.targets[2].secrets[1]: must begin with whsec_; make one: echo whsec_$(openssl rand -base64 32)',
    'forward.targets[2].url: is a link-local, metadata or reserved address, which is never allowed',
    'forward.targets[3].name: is the name of the application in the same process',
    'forward.targets[3].secrets: must be a list of one secret, or of two while it is rotated',
    'forward.targets[3].url: is a private address, which allowPrivate allows',
    'forward.targets[4].events[0]: matches no known event. Did you mean refund.success?',
    'forward.targets[4].events[1]: matches no known event. Did you mean refund.*?',
    'forward.targets[4].events[3]: matches no known event',
    'forward.targets[4].news: does not go with when: received; choose by events',
    'forward.targets[5].events: needs when: received',
  ]);
});

test('no message shows a secret, nor the path of a URL', () => {
  const secret = 'whsec_notenoughbytes';
  try {
    load(`forward: {targets: [{name: shop, url: 'http://shop.example/private-path', secrets: ['${secret}']}]}`);
    expect.unreachable();
  } catch (error) {
    expect(String(error)).not.toMatch(/notenough|private-path/);
  }
});

test.each([
  [SECRET, null],
  [`whsec_${Buffer.alloc(24, 'x').toString('base64')}`, null],
  [`whsec_${Buffer.alloc(64, 'x').toString('base64')}`, null],
  [`whsec_${Buffer.alloc(23, 'x').toString('base64')}`, /at least 24/],
  [`whsec_${Buffer.alloc(65, 'x').toString('base64')}`, /at most 64/],
  ['whsec_!!!!', /base64/],
  ['whsec_', /at least 24/],
  [Buffer.alloc(32, 'x').toString('base64'), /begin with whsec_/],
])('the secret %s', (text, expected) => {
  const problem = webhookSecretProblem(text);
  if (expected === null) expect([problem, webhookSecretBytes(text)[0]]).toEqual([null, text === SECRET ? 97 : 120]);
  else expect(problem).toMatch(expected);
});

test('what machines that share a log take over by their configuration: rules of targets and of approvals, not their order, addresses or secrets', () => {
  const takenOver = (...targets: readonly string[]) =>
    clusterOf(load(`cluster: {url: 'postgres://a@h/d'}\nforward: {targets: [${targets.join(', ')}]}`))?.takenOver;
  const target = (name: string, more = '') =>
    `{name: ${name}, url: https://${name}.example/, secrets: ['${secretOf(name)}']${more}}`;
  const both = takenOver(target('a'), target('b'));
  expect(Object.keys(both ?? {})).toEqual(['forward.targets a', 'forward.targets b', 'approvals']);
  expect(takenOver(target('b'), target('a', ', timeoutMs: 500').replace('a.example', 'c.example'))).toEqual(both);
  expect(takenOver(target('a', ', kinds: [refund]'), target('b'))).not.toEqual(both);
});
