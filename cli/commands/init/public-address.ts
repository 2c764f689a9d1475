import { isIP } from 'node:net';
import { UsageError } from '../../options/options.ts';

/** The address at which the payment service reaches this server. */
export interface PublicAddress {
  /** `https://hooks.example.com:8443` */
  readonly origin: string;
  /** `hooks.example.com`: the name in the certificate. */
  readonly name: string;
  readonly port: string;
}

/** @throws UsageError unless it is an https:// address with a name that a certificate can have, and without a path */
export function publicAddress(publicUrl: string | undefined): PublicAddress {
  const url = publicUrl === undefined ? null : URL.parse(publicUrl);
  const problem = problemOf(url);
  if (url !== null && problem === null)
    return { origin: url.origin, name: url.hostname, port: url.port === '' ? '443' : url.port };
  const seen = publicUrl === undefined ? 'is missing' : `is ${JSON.stringify(publicUrl)}`;
  throw new UsageError(
    `--public-url ${seen}: ${problem}`,
    'For example: tallyhook init --deploy systemd --public-url https://hooks.example.com',
  );
}

function problemOf(url: URL | null): string | null {
  if (url?.protocol !== 'https:' || `${url.origin}/` !== url.href)
    return '--deploy needs the https:// address of this server, without a path.';
  const { hostname } = url;
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    return 'a certificate needs the name of this server, not an IP address.';
  // One label, or an empty one.
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(hostname))
    return 'a certificate needs a name that the whole internet knows, such as hooks.example.com.';
  return null;
}

/** @throws UsageError for an address without a port, or that a proxy would read in another way */
export function receiverAddresses(list: string | undefined): string[] {
  if (list === undefined) return [];
  return list.split(',').map((text) => {
    const address = text.trim();
    const [, port] = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):(\d{1,5})$/.exec(address) ?? [];
    if (port !== undefined && Number(port) > 0 && Number(port) <= 65_535) return address;
    throw new UsageError(
      `--receivers has ${JSON.stringify(address)}, which is no address with a port.`,
      'Give those of the other machines: --receivers 10.0.0.12:4600,10.0.0.13:4600',
    );
  });
}
