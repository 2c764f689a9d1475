import { isIP } from 'node:net';

import { isLoopback } from '../domain/base-url.ts';

export { baseUrlProblem, isLoopback } from '../domain/base-url.ts';

// Rules about single values of the configuration; each `…Problem` gives the broken rule, or null.

export function databaseProblem(value: string): string | null {
  if (/^postgres(ql)?:/i.test(value)) return 'this version speaks SQLite only: give the path of a database file';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return 'must be the path of a file, not a URL';
  return value === '' || value === ':memory:' ? 'must be the path of a file: events are kept on disk' : null;
}

/** Customers carry a verdict there, which nobody else should read on the way. */
export function pageProblem(value: string): string | null {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be a URL that starts with https://';
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return 'must start with https://, unless it is on this machine';
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  return url.searchParams.has('verdict') ? 'must not carry a verdict: that is what is added' : null;
}

/** An address, a network in CIDR notation, or one of the three names that stand for private networks. */
export function isProxyAddress(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return ['loopback', 'linklocal', 'uniquelocal'].includes(value);
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
