import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { channelsOf, termsOf } from '../../../src/alert/terms.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { ConfigurationError } from '../../../src/config/problems.ts';
import { ALERT_CAUSES, STANDARD_SEVERITY } from '../../../src/domain/alerts/alert-cause.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallyhook-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function load(alerts: string) {
  writeFileSync(join(folder, 'tallyhook.yaml'), `alerts: ${alerts}\n`);
  return loadConfig({ env: {}, cwd: folder }).alerts;
}

function problems(alerts: string): string {
  try {
    load(alerts);
    return '';
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

test('without settings every cause goes to the log, with its own severity', () => {
  const settings = load('{}');
  expect(channelsOf(settings)).toEqual(['log']);
  const terms = termsOf(settings);
  for (const cause of ALERT_CAUSES) {
    const standard = {
      severity: STANDARD_SEVERITY[cause],
      channels: ['log'],
      coolDownMs: 3_600_000,
      remindMs: 86_400_000,
    };
    expect(terms[cause]).toEqual(standard);
  }
});

test('severity, channels and cool-down are set per cause; off tells it nowhere', () => {
  const settings = load(`
  coolDownMinutes: 10
  webhook: {url: "https://chat.example/hooks/x"}
  mail: {host: smtp.example, from: a@shop.example, to: [b@shop.example]}
  causes: {stuck: {severity: info, channels: [mail], coolDownMinutes: 2880}, variant: {severity: "off"}}`);
  const terms = termsOf(settings);
  expect(terms.silent).toMatchObject({ channels: ['log', 'webhook', 'mail'], coolDownMs: 600_000 });
  expect(terms.stuck).toEqual({ severity: 'info', channels: ['mail'], coolDownMs: 172_800_000, remindMs: 172_800_000 });
  expect(terms.variant.channels).toEqual([]);
});

test.each<[string, string, readonly string[]]>([
  [
    'an unknown cause',
    '{causes: {silnt: {severity: info}}}',
    ['alerts.causes.silnt: is not a setting. Did you mean silent?'],
  ],
  [
    'an unknown setting of a cause',
    '{causes: {silent: {severty: info}}}',
    ['alerts.causes.silent.severty', 'Did you mean severity?'],
  ],
  [
    'an unknown severity',
    '{causes: {silent: {severity: high}}}',
    ['is "high": must be one of critical, warning, info, off'],
  ],
  [
    'an unknown channel',
    '{causes: {silent: {channels: [slack]}}}',
    ['is "slack": must be a list of log, webhook, mail'],
  ],
  [
    'a channel that is not set up',
    '{causes: {silent: {channels: [log, mail]}}}',
    ['alerts.causes.silent.channels', 'names mail, which is not set up'],
  ],
  [
    'http beyond this machine',
    '{webhook: {url: "http://chat.example/x"}, heartbeat: {url: "http://10.0.0.1/"}}',
    ['alerts.webhook.url', 'alerts.heartbeat.url', 'must start with https://'],
  ],
  ['a user name in a URL', '{webhook: {url: "https://u:p@chat.example/"}}', ['must not carry a user name or password']],
  [
    'mail without TLS',
    '{mail: {host: smtp.example, security: none, from: a@b.example, to: [c@d.example]}}',
    ['alerts.mail.security', 'must be starttls or tls'],
  ],
  [
    'no recipient, and a wrong one',
    '{mail: {host: smtp.example, from: "a b", to: []}}',
    ['alerts.mail.from', 'alerts.mail.to', 'must name a recipient'],
  ],
  [
    'a header in an address',
    '{mail: {host: smtp.example, from: "a@b.example\\r\\nBcc: x@y.example", to: [c@d.example]}}',
    ['alerts.mail.from'],
  ],
])('%s is refused', (_, alerts, texts) => {
  const message = problems(alerts);
  for (const text of texts) expect(message).toContain(text);
});

test('every mistake is reported at once, and no secret is shown', () => {
  const message = problems(
    '{webhook: {url: "http://chat.example/canary-hook"}, mail: {host: "x y", password: [canary-word], from: a@b.example, to: [c@d.example]}, causes: {silnt: {}}}',
  );
  expect(message).toMatch(/^4 problems/);
  expect(message).not.toContain('canary');
});

test('an address is a secret, also one that is short and wrong', () => {
  expect(problems('{webhook: {url: hunter2}, heartbeat: {url: hunter2}}')).not.toContain('hunter2');
});

test('http is for this machine, and beyond it when that is allowed', () => {
  const plain = '{url: "http://127.0.0.1:9/x"}';
  expect(load(`{webhook: ${plain}, heartbeat: ${plain}}`).webhook).not.toBeNull();
  const beyond =
    '{allowHttp: true, webhook: {url: "http://chat.internal/x"}, mail: {host: smtp.internal, security: none, from: a@b.example, to: [c@d.example]}}';
  expect(load(beyond).mail).toMatchObject({ port: 587, user: null, password: null });
});
