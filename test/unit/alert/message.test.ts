import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isCommand } from '../../../cli/overview.ts';
import { alertMessage, alertText } from '../../../src/alert/message.ts';
import { ALERT_CAUSES, STANDARD_SEVERITY } from '../../../src/domain/alerts/alert-cause.ts';
import { packageFile } from '../../../src/package-root.ts';
import { EXAMPLES } from '../../support/alert-examples.ts';

const NOW_MS = Date.parse('2026-11-20T21:52:00Z');
const CONTEXT = { nowMs: NOW_MS, zone: 'Africa/Lagos', name: 'shop-1' };
const told = (cause: (typeof ALERT_CAUSES)[number]) => {
  const { subject, size, facts } = EXAMPLES[cause];
  return {
    cause,
    subject,
    size,
    facts,
    severity: STANDARD_SEVERITY[cause],
    openedAtMs: NOW_MS - 90_000,
    closedAtMs: null,
  };
};

test('every cause has a text, and there is no text of anything else', () => {
  const files = readdirSync(packageFile('templates/alerts')).map((file) => file.replace('.eta', ''));
  expect(files.toSorted()).toEqual([...ALERT_CAUSES, 'message', 'recovered', 'test'].toSorted());
});

test.each(ALERT_CAUSES)('the text of %s says what happened, why it matters, and a command that exists', (cause) => {
  const { what, why, run } = alertText(told(cause), CONTEXT);
  expect(`${what} ${why} ${run}`).not.toMatch(/undefined|NaN|null|Invalid|\[object|<%|\ufffd/);
  expect(what).toMatch(/^\S.*[.:]/);
  expect(why.length).toBeGreaterThan(30);
  const [program, command = ''] = run.split(' ');
  expect(program).toBe('tallyhook');
  expect(isCommand(command)).toBe(true);
});

test('a burst of wrong signatures leads to their reasons', () => {
  expect(alertText(told('bad_signatures'), CONTEXT).run).toBe('tallyhook stats');
});

test('a notice has a title, the three sentences and the command; a recovery says how long it held', () => {
  const silent = told('silent');
  expect(alertMessage(silent, 'opened', CONTEXT)).toEqual({
    alert: { cause: 'silent', subject: 'live refund', severity: 'critical', change: 'opened' },
    name: 'shop-1',
    title: 'critical: silent, live refund',
    what: 'live refunds: no webhook for 3 h; the usual gap is 10 min.',
    why: 'The path from the service to the receiver may be broken: its certificate, a proxy, the webhook URL.',
    run: 'tallyhook health --environment live',
    text: [
      'shop-1: critical: silent, live refund',
      'live refunds: no webhook for 3 h; the usual gap is 10 min.',
      'The path from the service to the receiver may be broken: its certificate, a proxy, the webhook URL.',
      'Run: tallyhook health --environment live',
    ].join('\n\n'),
  });
  const recovered = alertMessage({ ...silent, closedAtMs: NOW_MS }, 'recovered', CONTEXT);
  expect(recovered.title).toBe('recovered: silent, live refund');
  expect(recovered.text).toContain(
    'It held from 2026-11-20 22:50 Africa/Lagos to 2026-11-20 22:52 Africa/Lagos, for 1 min 30 s.',
  );
  expect(alertMessage(silent, 'again', CONTEXT).title).toBe('still critical: silent, live refund');
});

test('every time in a notice has its date and zone, for a reader on another day and elsewhere', () => {
  for (const cause of ALERT_CAUSES) {
    const { text } = alertMessage(told(cause), 'opened', CONTEXT);
    const times = text.match(/\d{2}:\d{2}/g) ?? [];
    expect([cause, text.match(/\d{4}-\d{2}-\d{2} \d{2}:\d{2} Africa\/Lagos/g) ?? []]).toEqual([
      cause,
      times.map(() => expect.any(String)),
    ]);
  }
});

test('what comes from outside can neither forge a line nor send an escape sequence', () => {
  const facts = { job: 'sweep\n\ncritical: forged\u001b[2J\u202e', outcome: 'failed', startedAtMs: NOW_MS };
  const { text, title } = alertMessage({ ...told('job_failed'), subject: 'a\nb\u001b[1m', facts }, 'opened', CONTEXT);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(`${title}${text.replaceAll('\n', '')}`).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(text.split('\n').filter((line) => line.startsWith('critical:'))).toEqual([]);
});
