import { expect, test } from 'vitest';
import { Heartbeat } from '../../../src/alert/heartbeat.ts';
import { alertMessage } from '../../../src/alert/message.ts';
import { sendOut } from '../../../src/alert/outgoing.ts';
import { webhookChannel } from '../../../src/alert/webhook.ts';
import { Secret } from '../../../src/domain/secrets/secret.ts';
import { FixedClock, START_MS } from '../../support/fixed-clock.ts';
import { answer, type Behaviour, flood, hostileServer } from '../../support/hostile-server.ts';

const CONTEXT = { nowMs: START_MS, zone: 'UTC', name: 'shop-1' };
const sample = alertMessage(
  {
    ...{ cause: 'job_failed', subject: 'sweep', severity: 'warning', size: 1, openedAtMs: START_MS, closedAtMs: null },
    facts: {
      job: '<!channel> & <https://evil.example|click> @everyone (@here) ops@shop.example',
      outcome: 'failed',
      startedAtMs: null,
    },
  },
  'opened',
  CONTEXT,
);
const send = (url: string, signal = AbortSignal.timeout(20_000)) =>
  webhookChannel({ url: new Secret(url) })(sample, signal).then(
    () => 'sent',
    (error: Error) => error.message,
  );

test('a chat channel gets {"text": …}, in which nothing is a mention or a link', async () => {
  const server = await hostileServer((socket) => socket.end(answer(200, 'ok')));
  expect(await send(`${server.url}/hooks/T0/abc`)).toBe('sent');
  const [head = '', body = ''] = (server.requests[0] ?? '').split('\r\n\r\n');
  expect(head).toMatch(/^POST \/hooks\/T0\/abc HTTP\/1\.1\r\n/);
  expect(head.toLowerCase()).toContain('content-type: application/json');
  const { text, ...others } = JSON.parse(Buffer.from(body, 'latin1').toString());
  expect(others).toEqual({});
  expect(text).toContain('&lt;!channel&gt; &amp; &lt;https://evil.example|click&gt;');
  expect(text).not.toMatch(/[<>]/);
  expect(text).not.toMatch(/@(everyone|here)/);
  expect(text).toContain('@\u200beveryone (@\u200bhere) ops@shop.example');
});

test.each<[string, Behaviour, RegExp]>([
  ['refuses', (socket) => socket.end(answer(403, 'invalid_token secret-of-the-channel')), /^answered 403$/],
  ['fails', (socket) => socket.end(answer(500, 'x')), /^answered 500$/],
  ['sends us elsewhere', (socket) => socket.end(answer(302, '', { location: 'http://169.254.169.254/' })), /redirect/],
  ['hangs up', (socket) => socket.destroy(), /^no connection/],
])('a channel that %s is told as failed, without address or answer', async (_, behave, error) => {
  const server = await hostileServer(behave);
  const seen = await send(`${server.url}/hooks/secret-of-the-channel`);
  expect(seen).toMatch(error);
  expect(seen).not.toMatch(/secret|hooks|127\.0\.0\.1|http/);
});

test('the status line decides: a body that is cut changes nothing', async () => {
  const cut = await hostileServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nx'));
  expect(await send(cut.url)).toBe('sent');
});

test('an answer without end costs 64 KiB, and one that never comes ends with its signal', async () => {
  const endless = await hostileServer((socket, _request, server) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    flood(socket, server, Buffer.alloc(16_384, 'x'));
  });
  expect(await send(endless.url)).toBe('sent');
  expect(endless.written).toBeLessThan(16 * 1024 * 1024); // what the system's own buffers hold
  const ended = new AbortController();
  const silent = await hostileServer(() => ended.abort());
  expect(await send(silent.url, ended.signal)).toBe('no answer in time');
});

test('nothing listens: the error has the code of the system alone', async () => {
  const failed = sendOut(new Secret('http://127.0.0.1:1/secret'), {
    method: 'GET',
    signal: AbortSignal.timeout(20_000),
  });
  await expect(failed).rejects.toThrow(/^no connection: ECONNREFUSED$/);
});

test('a heartbeat comes every five minutes, and at once after one that failed', async () => {
  let status = 200;
  const server = await hostileServer((socket) => socket.end(answer(status, '')));
  const clock = new FixedClock();
  const heartbeat = new Heartbeat();
  const beat = async (atMinute: number) => {
    clock.ms = START_MS + atMinute * 60_000;
    const settings = { url: new Secret(`${server.url}/beat`), everyMinutes: 5 };
    const error = await heartbeat.beat(settings, { clock, signal: AbortSignal.timeout(20_000) });
    return [server.requests.length, error];
  };
  expect(await beat(0)).toEqual([1, null]);
  expect(await beat(1)).toEqual([1, null]);
  expect(await beat(4)).toEqual([1, null]);
  expect(await beat(5)).toEqual([2, null]);
  status = 500;
  expect(await beat(10)).toEqual([3, 'answered 500']);
  status = 200;
  expect(await beat(11)).toEqual([4, null]);
  expect(await beat(-9_999)).toEqual([5, null]); // the clock was set back
  expect(server.requests[0]).toMatch(/^GET \/beat HTTP/);
});
