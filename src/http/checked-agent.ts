import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { type AddressPolicy, addressProblem } from './addresses.ts';
import { undici } from './undici.ts';

/** Resolves a name to all of its addresses, as `dns.lookup` with `all`. */
export type ResolveAll = (
  name: string,
  done: (error: Error | null, addresses: readonly { readonly address: string; readonly family: number }[]) => void,
) => void;

/** A request was not sent, because the address that it would have gone to is not allowed. */
export class UnsafeAddressError extends Error {
  override readonly name = 'UnsafeAddressError';
  readonly code = 'UNSAFE_ADDRESS';
}

const resolveBySystem: ResolveAll = (name, done) =>
  systemLookup(name, { all: true }, (error, found) => done(error, found ?? []));

/**
 * Returns the connections to one URL's host. A name is resolved once per connection, each of its addresses is checked, and the
 * connection goes to the checked ones: an answer of DNS that changes afterwards changes nothing.
 */
export function checkedAgent(
  url: URL,
  policy: AddressPolicy,
  {
    connections,
    timeoutMs,
    resolve = resolveBySystem,
  }: { connections: number; timeoutMs: number; resolve?: ResolveAll },
): Agent {
  const lookup: LookupFunction = (name, options, done) => {
    resolve(name, (error, found) => {
      const problem = error ?? unsafeAmong(found, url, policy);
      const [first] = found;
      if (problem !== null || first === undefined) done(problem ?? notFound(name), '', 0);
      else if (options.all)
        done(
          null,
          found.map(({ address, family }) => ({ address, family })),
        );
      else done(null, first.address, first.family);
    });
  };
  const { Agent } = undici();
  return new Agent({
    connections,
    connect: { lookup, timeout: timeoutMs },
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
    maxHeaderSize: 16 * 1024,
    allowH2: false,
  });
}

/** Throws UnsafeAddressError for a URL whose host is an address that is not allowed: for such a one nothing is resolved. */
export function requireSafeLiteral(url: URL, policy: AddressPolicy): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const problem = isIP(host) === 0 ? null : addressProblem(host, url.protocol, policy);
  if (problem !== null) throw new UnsafeAddressError(`${host} ${problem}`);
}

function unsafeAmong(found: readonly { readonly address: string }[], url: URL, policy: AddressPolicy): Error | null {
  for (const { address } of found) {
    const problem = addressProblem(address, url.protocol, policy);
    if (problem !== null) return new UnsafeAddressError(`${url.hostname} leads to ${address}, which ${problem}`);
  }
  return null;
}

function notFound(name: string): Error {
  return Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
}
