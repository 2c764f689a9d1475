import { gzipSync } from 'node:zlib';
import type { CallLimits } from '../../src/service/index.ts';
import { answer, type Behaviour, flood } from './hostile-server.ts';

/** The limit on response bodies that some faults exceed. */
export const FAULT_LIMIT_BYTES = 64 * 1024;
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));

const ok = (body: string) => answer(200, body);
const streamed = (headers = '') =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${headers}transfer-encoding: chunked\r\n\r\n`;
const httpChunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

/** A whole response in gzip. */
const zipped =
  (status: string, text: string): Behaviour =>
  (socket) => {
    const body = gzipSync(text);
    socket.write(`HTTP/1.1 ${status}\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`);
    socket.write(body);
  };

/** Each fault: its name, the behaviour of the server, and the error that ends a GET. */
export const FAULTS: readonly (readonly [string, Behaviour, object])[] = [
  [
    '500',
    (socket) => socket.write(answer(500, '{"success":false,"message":"oops"}')),
    { name: 'ServiceFailedError', httpStatus: 500 },
  ],
  [
    '503 as a web page',
    (socket) => socket.write(answer(503, '<html>', { 'content-type': 'text/html' })),
    { name: 'ServiceFailedError' },
  ],
  [
    '429 with Retry-After',
    (socket) => socket.write(answer(429, '{}', { 'retry-after': '3600' })),
    { name: 'RateLimitedError', retryAfterMs: 3_600_000 },
  ],
  ['503 in gzip', zipped('503 Busy', '{"success":false}'), { name: 'ServiceFailedError', httpStatus: 503 }],
  [
    'a body in gzip',
    zipped('200 OK', '{"success":true,"currency":"NGN","data":[]}'),
    { name: 'UnreadableAnswerError', reason: 'content_encoding' },
  ],
  ['reset before the answer', (socket) => socket.resetAndDestroy(), { name: 'NoAnswerError', reason: 'reset' }],
  [
    'reset within the head',
    (socket) => socket.write('HTTP/1.1 200 O', () => socket.destroy()),
    { name: 'NoAnswerError' },
  ],
  [
    'reset within the body',
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"succ', () => socket.destroy()),
    { name: 'NoAnswerError', reason: 'cut' },
  ],
  ['silence before the head', () => {}, { name: 'NoAnswerError', reason: 'timeout' }],
  [
    'silence within the body',
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"succ'),
    { name: 'NoAnswerError', reason: 'idle' },
  ],
  [
    'a byte now and then',
    (socket) => {
      socket.write(streamed());
      const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('1\r\n \r\n')), 50);
    },
    { name: 'NoAnswerError', reason: 'timeout' },
  ],
  [
    'truncated JSON',
    (socket) => socket.write(ok('{"success":true,"data":[{"bankNa')),
    { name: 'UnreadableAnswerError', reason: 'not_json' },
  ],
  [
    'a web page under 200',
    (socket) => socket.write(answer(200, '<!doctype html><h1>Hi</h1>', { 'content-type': 'text/html' })),
    { name: 'UnreadableAnswerError', reason: 'html' },
  ],
  ['binary', (socket) => socket.write(ok('\u0000\u0001\u0002')), { name: 'UnreadableAnswerError', reason: 'not_json' }],
  ['nothing at all', (socket) => socket.write(ok('')), { name: 'UnreadableAnswerError', reason: 'shape' }],
  ['a bare string', (socket) => socket.write(ok('"yes"')), { name: 'UnreadableAnswerError', reason: 'shape' }],
  [
    'a member twice',
    (socket) => socket.write(ok('{"success":true,"success":false}')),
    { name: 'UnreadableAnswerError', reason: 'not_json' },
  ],
  [
    '5,000 levels',
    (socket) => socket.write(ok(`${'['.repeat(5000)}${']'.repeat(5000)}`)),
    { name: 'UnreadableAnswerError', reason: 'not_json' },
  ],
  [
    'success under 422',
    (socket) => socket.write(answer(422, '{"success":true}')),
    { name: 'UnreadableAnswerError', reason: 'contradiction' },
  ],
  [
    'an endless stream',
    (socket, _request, server) => {
      socket.write(streamed());
      flood(socket, server, httpChunk(Buffer.alloc(16 * 1024, ' ')));
    },
    { name: 'UnreadableAnswerError', reason: 'too_large' },
  ],
  [
    'a length of a terabyte',
    (socket, _request, server) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n');
      flood(socket, server, Buffer.alloc(16 * 1024, ' '));
    },
    { name: 'UnreadableAnswerError', reason: 'too_large' },
  ],
  [
    'a gzip bomb',
    (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`);
      socket.write(BOMB);
    },
    { name: 'UnreadableAnswerError', reason: 'content_encoding' },
  ],
  [
    'encodings upon encodings',
    (socket) => socket.write(answer(200, 'x', { 'content-encoding': 'gzip, gzip, gzip' })),
    { name: 'UnreadableAnswerError', reason: 'content_encoding' },
  ],
  [
    'a redirect into the cloud',
    (socket) => socket.write(answer(302, '', { location: 'http://169.254.169.254/latest/meta-data' })),
    { name: 'RedirectRefusedError' },
  ],
  [
    'a redirect to itself',
    (socket) => socket.write(answer(307, '', { location: '/api/v1/bank_list' })),
    { name: 'RedirectRefusedError' },
  ],
  [
    'a head without end',
    (socket, _request, server) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      flood(socket, server, Buffer.from(`x-filler: ${'x'.repeat(1000)}\r\n`));
    },
    { name: 'NoAnswerError', reason: 'protocol' },
  ],
  [
    'a status that HTTP does not have',
    (socket) => socket.write(answer(999, '{"success":true}')),
    { name: 'NoAnswerError', reason: 'protocol' },
  ],
  ['no HTTP', (socket) => socket.write('220 mail.example ESMTP\r\n\r\n'), { name: 'NoAnswerError' }],
  [
    'two lengths',
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\n{}'),
    { name: 'NoAnswerError' },
  ],
  [
    'reset at any byte of the answer',
    (socket, _request, server) => {
      const whole = ok('{"success":true,"currency":"NGN","data":[{"bankName":"B","bankCode":"1"}]}');
      socket.write(whole.slice(0, (server.requests.length * 7) % whole.length), () => socket.destroy());
    },
    { name: 'NoAnswerError' },
  ],
  [
    'a limit until a date of another clock',
    (socket) => socket.write(answer(429, '{}', { 'retry-after': 'Fri, 01 Jan 2300 00:00:00 GMT' })),
    { name: 'RateLimitedError', retryAfterMs: 366 * 86_400_000 },
  ],
  [
    'its own failure, dated by another clock',
    (socket) => socket.write(answer(503, '{}', { date: 'Thu, 01 Jan 1970 00:00:00 GMT', 'retry-after': 'soon' })),
    { name: 'ServiceFailedError' },
  ],
  ['an empty object', (socket) => socket.write(ok('{}')), { name: 'UnreadableAnswerError', reason: 'shape' }],
  [
    'data of nothing',
    (socket) => socket.write(ok('{"data":null}')),
    { name: 'UnreadableAnswerError', reason: 'shape' },
  ],
  [
    'more after the end',
    (socket) => socket.write(ok('{"a":1}{"b":2}')),
    { name: 'UnreadableAnswerError', reason: 'not_json' },
  ],
  [
    'bytes that are no UTF-8',
    (socket) => socket.write(Buffer.from(ok('{"message":"xx"}').replace('xx', '\u00ff\u00fe'), 'latin1')),
    { name: 'UnreadableAnswerError', reason: 'not_json' },
  ],
  [
    'gzip that is none',
    (socket) => socket.write(answer(200, '{"success":true}', { 'content-encoding': 'gzip' })),
    { name: 'UnreadableAnswerError', reason: 'content_encoding' },
  ],
  [
    'gzip that breaks off',
    (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 200\r\n\r\n`);
      socket.write(BOMB.subarray(0, 100), () => socket.destroy());
    },
    { name: 'NoAnswerError' },
  ],
  ['a chunk of no size', (socket) => socket.write(`${streamed()}zz\r\nxx\r\n`), { name: 'NoAnswerError' }],
];

/** Faults after which a GET is retried. */
const REPEATED = [
  '500',
  '503 as a web page',
  '503 in gzip',
  'reset before the answer',
  'reset within the head',
  'reset within the body',
  'silence before the head',
  'silence within the body',
  'a byte now and then',
  'a head without end',
  'no HTTP',
  'two lengths',
  'reset at any byte of the answer',
  'its own failure, dated by another clock',
  'gzip that breaks off',
  'a chunk of no size',
];

export const isRepeated = (fault: string) => REPEATED.includes(fault);

/** Short limits for the faults of silence; the others have long ones, so that a slow machine causes no fault. */
const SHORT_LIMITS: Readonly<Record<string, Partial<CallLimits>>> = {
  'silence before the head': { timeoutMs: 250 },
  'silence within the body': { idleTimeoutMs: 120 },
  'a byte now and then': { timeoutMs: 250 },
};
export const limitsUnder = (fault: string): Partial<CallLimits> => ({
  timeoutMs: 30_000,
  idleTimeoutMs: 20_000,
  responseLimitBytes: FAULT_LIMIT_BYTES,
  ...SHORT_LIMITS[fault],
});
