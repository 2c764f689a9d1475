import type { Config } from '../../../src/config/load.ts';
import { requireKeyPairs } from '../../../src/config/required-keys.ts';
import type { Environment, KeyPair } from '../../../src/domain/environment.ts';
import { readTimestamp } from '../../../src/time/timestamp.ts';
import { pointRule } from '../../options/money.ts';
import { UsageError } from '../../options/options.ts';
import { note } from '../../show/output.ts';

// What `trigger` checks of its options before it sends.

export function allowedEnvironment(argv: { environment: Environment; live: boolean; yes: boolean }): Environment {
  const environment = argv.live ? 'live' : argv.environment;
  if (environment === 'live' && !(argv.live && argv.yes)) {
    throw new UsageError('A sample signed with a live key looks real to every receiver: it needs --live --yes.');
  }
  return environment;
}

export function signingKey(config: Config, environment: Environment, id: string | undefined): KeyPair {
  const pairs = requireKeyPairs(config, environment);
  const pair =
    id === undefined
      ? (pairs.find(({ notAfter }) => notAfter === null) ?? pairs[0])
      : pairs.find((each) => each.id === id);
  if (pair !== undefined) return pair;
  const known = pairs.map((each) => each.id).join(', ');
  throw new UsageError(
    `--old-key is ${JSON.stringify(id)}: there is no such ${environment} key pair.`,
    `Known: ${known}.`,
  );
}

export function receiverUrl({ receiver: { host, port } }: Config, environment: Environment): string {
  if (port === 0) throw new UsageError('The receiver uses any free port: give its address with --url.');
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}/webhooks/${environment}`;
}

export function checkedUrl(url: string): string {
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return url;
  throw new UsageError(`--url is ${JSON.stringify(url)}: it must start with http:// or https://.`);
}

export function minorUnits(amount: string): bigint {
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  if (whole === undefined)
    throw new UsageError(
      `--amount is ${JSON.stringify(amount)}: ${pointRule(amount) ?? 'it must be a decimal such as 50.00.'}`,
    );
  return BigInt(whole + fraction.padEnd(2, '0'));
}

export function checkedCurrency(text: string): string {
  if (/^[A-Z]{3}$/i.test(text)) return text.toUpperCase();
  throw new UsageError(`--currency is ${JSON.stringify(text)}: it must be a code such as NGN.`);
}

/** Any text is sent as `updated_at`, to see what the receiver does with it. */
export function noteUnreadableTime(text: string): void {
  if (readTimestamp(text).kind === 'unreadable')
    note(`--updated-at is ${JSON.stringify(text)}, which no receiver can read as a time; it is sent as it is.`);
}
