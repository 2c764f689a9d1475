import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { mailChannel } from '../../../src/alert/mail.ts';
import { alertMessage } from '../../../src/alert/message.ts';
import { Secret } from '../../../src/domain/secrets/secret.ts';
import { START_MS } from '../../support/fixed-clock.ts';
import { smtpServer } from '../../support/smtp.ts';

const message = alertMessage(
  {
    ...{ cause: 'job_failed', subject: 'sweep', severity: 'warning', size: 1, openedAtMs: START_MS, closedAtMs: null },
    facts: { job: 'sweep', outcome: 'failed', startedAtMs: null },
  },
  'opened',
  { nowMs: START_MS, zone: 'UTC', name: 'shop-1' },
);
type Settings = Parameters<typeof mailChannel>[0];
const settings = (over: Partial<Settings>): Settings => ({
  ...{ host: '127.0.0.1', port: 25, security: 'none', user: null, password: null },
  ...{ from: 'tallyhook@shop.example', to: ['ops@shop.example', 'night@shop.example'] },
  ...over,
});
const send = (over: Partial<Settings>, signal = AbortSignal.timeout(20_000)) =>
  mailChannel(settings(over))(message, signal).then(
    () => 'sent',
    (error: Error) => error.message,
  );

test('a mail comes to every recipient, with the title as its subject', async () => {
  const { port, mails } = await smtpServer({ disabledCommands: ['STARTTLS'] });
  expect(await send({ port })).toBe('sent');
  expect(mails).toMatchObject([{ from: 'tallyhook@shop.example', to: ['ops@shop.example', 'night@shop.example'] }]);
  expect(mails[0]?.text).toContain('Subject: [Tallyhook] shop-1: warning: job failed, sweep');
  expect(mails[0]?.text).toContain('Run: tallyhook schedule list');
});

test('with a user it logs in, and a wrong password is an error without it', async () => {
  const { port, mails } = await smtpServer({
    ...{ authOptional: false, allowInsecureAuth: true, disabledCommands: ['STARTTLS'] },
    onAuth({ username, password }, _session, done) {
      if (username === 'ops' && password === 'right') done(null, { user: username });
      else done(new Error(`wrong password ${password} of ${username}`));
    },
  });
  expect(await send({ port, user: 'ops', password: new Secret('right') })).toBe('sent');
  expect(mails).toMatchObject([{ user: 'ops' }]);
  const refused = await send({ port, user: 'ops', password: new Secret('canary-password') });
  expect(refused).toBe('the mail server answered 535 (EAUTH)');
});

test('a recipient that the server does not know is an error without the address', async () => {
  const { port } = await smtpServer({
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => done(new Error(`no such user ${address}`)),
  });
  expect(await send({ port })).toBe('the mail server answered 550 (EENVELOPE)');
});

test('starttls says nothing to a server without TLS, nor to one whose certificate no authority signed', async () => {
  const without = await smtpServer({ disabledCommands: ['STARTTLS'] });
  expect(await send({ port: without.port, security: 'starttls' })).toMatch(
    /^(no mail was sent|the mail server answered \d+).*ETLS/,
  );
  const own = await smtpServer(); // its certificate is its own
  expect(await send({ port: own.port, security: 'starttls', user: 'ops', password: new Secret('x') })).toMatch(
    /no mail was sent: E/,
  );
  expect([...without.mails, ...own.mails]).toEqual([]);
});

test('a server that says nothing ends with the signal', async () => {
  const ended = new AbortController();
  const silent = createServer((socket) => {
    socket.on('error', () => {});
    ended.abort();
  });
  await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready));
  const { port } = silent.address() as { port: number };
  expect(await send({ port }, ended.signal)).toMatch(/^no mail was sent: E/);
  silent.close();
});
