import { pino } from 'pino';
import { expect, test } from 'vitest';
import { DeliveryLog } from '../../../src/serve/delivery-log.ts';
import type { Delivery, Refusal } from '../../../src/store/inbox.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 11, 5, 3);

function logging(level: 'info' | 'debug', logLevel = 'info') {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: logLevel }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { lines, deliveries: new DeliveryLog({ log, decode: undefined, level }) };
}

const delivery = (reference: string, receivedAtMs = NOW_MS, body = ''): Delivery => ({
  environment: 'test',
  keyId: 'test-1',
  merchantSignature: 'verified',
  body: Buffer.from(body || JSON.stringify({ event: 'refund.success', data: { refund_reference: reference } })),
  sentAt: null,
  receivedAtMs,
});
const refusal = (over: Partial<Refusal> = {}): Refusal => ({
  atMs: NOW_MS,
  path: '/webhooks/test',
  reason: 'payload_signature_mismatch',
  remoteAddress: '127.0.0.1',
  contentLength: 2,
  userAgent: null,
  ...over,
});

test('a delivery has one line with its environment, event, reference, and whether it is new, a duplicate or a variant', () => {
  const { lines, deliveries } = logging('info');
  deliveries.kept({ delivery: delivery('RFD_1'), kept: { eventId: 7, duplicate: false, variant: false } });
  deliveries.kept({ delivery: delivery('RFD_1'), kept: { eventId: 7, duplicate: true, variant: false } });
  deliveries.kept({ delivery: delivery('RFD_1'), kept: { eventId: 7, duplicate: false, variant: true } });
  const line = { msg: 'delivery kept', environment: 'test', event: 'refund.success', reference: 'RFD_1', id: 7 };
  expect(lines).toMatchObject([
    { ...line, what: 'new' },
    { ...line, what: 'duplicate' },
    { ...line, what: 'variant' },
  ]);
});

test('below its level a delivery costs no look at its body', () => {
  const { lines, deliveries } = logging('debug');
  const untouchable = new Proxy(delivery('RFD_1'), {
    get: (_target, name) => expect.fail(`it reads ${String(name)}`),
  });
  deliveries.kept({ delivery: untouchable, kept: { eventId: 1, duplicate: false, variant: false } });
  expect(lines).toEqual([]);
});

test('for a person a burst is cut to 20 lines a second and counted; in a file at debug each has its line', () => {
  const terminal = logging('info');
  for (let n = 0; n < 1_000; n++)
    terminal.deliveries.kept({
      delivery: delivery(`R${n}`),
      kept: { eventId: n, duplicate: n % 4 === 0, variant: n % 4 === 1 },
    });
  expect(terminal.lines).toHaveLength(20);
  terminal.deliveries.summarise(NOW_MS + 1_000);
  terminal.deliveries.summarise(NOW_MS + 2_000);
  expect(terminal.lines).toHaveLength(21);
  expect(terminal.lines[20]).toMatchObject({ msg: 'more deliveries kept', new: 490, duplicate: 245, variant: 245 });
  terminal.deliveries.kept({
    delivery: delivery('R1', NOW_MS + 1_000),
    kept: { eventId: 1, duplicate: true, variant: false },
  });
  expect(terminal.lines[21]).toMatchObject({ reference: 'R1' });

  const file = logging('debug', 'debug');
  for (let n = 0; n < 1_000; n++)
    file.deliveries.kept({ delivery: delivery(`R${n}`), kept: { eventId: n, duplicate: false, variant: false } });
  file.deliveries.summarise(NOW_MS + 1_000);
  expect(file.lines).toHaveLength(1_000);
});

test('refusals that are not shown are counted by reason, in one line once their minute is over, or at the end', () => {
  const { lines, deliveries } = logging('debug');
  deliveries.refused(refusal(), { isShown: true, likeness: 'other' });
  for (let n = 0; n < 5_000; n++)
    deliveries.refused(refusal(n % 5 === 0 ? { reason: 'method' } : {}), { isShown: false, likeness: 'other' });
  deliveries.summarise(NOW_MS + 10_000);
  expect(lines).toHaveLength(1);
  deliveries.summarise(NOW_MS + 60_000);
  deliveries.summarise(NOW_MS + 61_000);
  expect(lines).toHaveLength(2);
  const reasons = { payload_signature_mismatch: 4_000, method: 1_000 };
  expect(lines[1]).toMatchObject({ msg: 'more deliveries refused', reasons });
  deliveries.refused(refusal({ atMs: NOW_MS + 62_000 }), { isShown: false, likeness: 'other' });
  deliveries.summarise(NOW_MS + 63_000, { isLast: true });
  expect(lines[2]).toMatchObject({ reasons: { payload_signature_mismatch: 1 } });
});

test('a refusal says its reason and the next step; what a stranger sent is printable', () => {
  const { lines, deliveries } = logging('debug');
  deliveries.refused(refusal({ userAgent: 'a\u009b31m\u202e\n{', remoteAddress: '\u009d' }), {
    isShown: true,
    likeness: 'other',
  });
  deliveries.refused(refusal({ reason: 'content_encoding' }), { isShown: true, likeness: 'other' });
  expect(lines).toMatchObject([
    {
      userAgent: 'a\ufffd31m\ufffd\ufffd{',
      remoteAddress: '\ufffd',
      hint: expect.stringContaining('tallyhook verify'),
    },
    { hint: expect.stringContaining('compress') },
  ]);
});

test.each([
  ['is of another key', 'signed', /^Signed with another key .* a sandbox was started again without --seed/],
  ['covers another body', 'merchant_only', /^The merchantSignature is of our key, the body is not/],
  ['is of no form', 'other', /tallyhook verify/],
] as const)('of a signature that %s the line names the likely cause', (_what, likeness, hint) => {
  const { lines, deliveries } = logging('debug');
  deliveries.refused(refusal(), { isShown: true, likeness });
  expect(lines).toMatchObject([{ hint: expect.stringMatching(hint) }]);
});
