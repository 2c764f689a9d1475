import { styleText } from 'node:util';
import { withoutSecrets } from '../../src/domain/secrets/secret-text.ts';
import { printableLine } from '../../src/domain/text/printable.ts';
import { type RefusalReason, refusalStatus } from '../../src/receive/refusals.ts';
import { asCalled } from './program.ts';
import { duration, localTime } from './text.ts';

// What `serve` prints on a terminal in place of its JSON log: one line per record, for a person.

type Fact = string | number | boolean | null | object;
type Facts = Readonly<Record<string, Fact | undefined>>;

const WARNING = 40;
const ERROR = 50;
/** Facts that a line shows in its own way, or not at all. */
const OWN_PLACE = new Set([
  'level',
  'time',
  'pid',
  'hostname',
  'msg',
  'hint',
  'err',
  'reason',
  'path',
  'atMs',
  'alert',
]);

/** Returns a pino stream that writes lines to `stderr`, with times in `zone`. The same advice twice in a row is shown once. */
export function terminalLog(stderr: NodeJS.WriteStream, zone: string): { write(line: string): void } {
  const shown = localTime(zone);
  let lastHint: string | null = null;
  return {
    write(line) {
      const record = JSON.parse(withoutSecrets(line)) as Facts;
      if (record.msg === 'serving') return void stderr.write(welcome(record, zone));
      const level = Number(record.level);
      const style = level >= ERROR ? 'red' : level >= WARNING ? 'yellow' : null;
      const text = printableLine(sentence(record));
      const styled = style === null ? text : styleText(style, text, { stream: stderr });
      stderr.write(`${shown(Number(record.time))}  ${styled}\n`);
      const hint = typeof record.hint === 'string' ? asCalled(printableLine(record.hint)) : null;
      if (hint !== null && hint !== lastHint) stderr.write(`    ${hint}\n`);
      lastHint = hint;
    },
  };
}

/** The first sentence: where it listens, and what comes now. */
function welcome({ receiver, admin, database, keys }: Facts, zone: string): string {
  const lines = [
    receiver === undefined
      ? 'Working, and receiving no webhooks: this machine of several has the role work alone. Ctrl-C stops.'
      : `Receiving on ${receiver} (${listed(keys)}); waiting for webhooks. Ctrl-C stops.`,
    `Health and metrics on ${admin}, ${database === undefined ? 'events in the log of other machines' : `events in ${database}`}; times are in ${zone}.`,
  ];
  return `${lines.map(printableLine).join('\n')}\n`;
}

function sentence(record: Facts): string {
  const { msg, environment, event, reference, what, quarantine, path, reason, remoteAddress, userAgent } = record;
  if (msg === 'delivery kept') {
    const odd = quarantine === undefined ? '' : ` (quarantined: ${quarantine})`;
    return `200 ${String(what).padEnd(9)} ${environment} ${event} ${reference}${odd}`;
  }
  if (msg === 'delivery refused') {
    const sender = userAgent === null ? '' : ` (${userAgent})`;
    return `${refusalStatus(reason as RefusalReason)} refused   ${path}: ${reason}, from ${remoteAddress}${sender}`;
  }
  if (msg === 'more deliveries kept')
    return `and ${record.new} new, ${record.duplicate} duplicate, ${record.variant} variant deliveries more`;
  if (msg === 'more deliveries refused') return `and more refused in the last minute: ${listed(record.reasons)}`;
  if (String(msg).startsWith('job ')) return jobSentence(record);
  return [String(msg), because(record), listed(rest(record))].filter((part) => part !== '').join(': ');
}

function jobSentence({ msg, job, detail, tookMs }: Facts): string {
  const what = String(msg).replace(/^job/, `job ${job}`);
  return `${what} (${duration(Number(tookMs))})${detail ? `: ${detail}` : ''}`;
}

function because({ err, reason }: Facts): string {
  const { message } = Object(err) as { message?: unknown };
  return typeof message === 'string' ? message : typeof reason === 'string' ? reason : '';
}

function rest(record: Facts): Facts {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !OWN_PLACE.has(name)));
}

/** `test-1, live-1`, or `signature 3, method 1` */
function listed(facts: Fact | undefined): string {
  if (Array.isArray(facts)) return facts.join(', ');
  const pairs = Object.entries(Object(facts)).filter(([, value]) => value !== null && value !== undefined);
  return pairs
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ');
}
