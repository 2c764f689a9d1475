import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * What an address leads to. `refused`: this machine's own name-less addresses, link-local ones, those where clouds keep
 * credentials, multicast and reserved ranges: no setting allows them as a target.
 */
export type AddressClass = 'public' | 'loopback' | 'private' | 'refused';

const LOOPBACK = listOf(['127.0.0.0/8', '::1/128']);
const PRIVATE = listOf(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']);
const REFUSED = listOf([
  '0.0.0.0/8', // connects to this machine
  '169.254.0.0/16', // link-local, and the metadata of most clouds
  '100.100.100.200/32', // metadata, within a range that may be allowed
  '168.63.129.16/32', // the same, a public address
  '192.0.0.0/24', // protocol assignments; one is metadata
  '198.18.0.0/15', // test networks
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
  '::/128',
  'fe80::/10', // link-local
  'fec0::/10', // site-local, no longer used
  'ff00::/8', // multicast
  'fd00:ec2::254/128', // metadata, within a range that may be allowed
  'fd20:ce::254/128', // the same
]);
/** Ranges of IPv6 with an IPv4 address in them, and where in the sixteen bytes that is. */
const EMBEDDING: readonly {
  readonly range: BlockList;
  readonly at: number;
  readonly isSame: boolean;
  readonly inverted?: true;
}[] = [
  { range: listOf(['::ffff:0:0/96']), at: 12, isSame: true },
  { range: listOf(['::ffff:0:0:0/96']), at: 12, isSame: false },
  { range: listOf(['64:ff9b::/96', '64:ff9b:1::/48']), at: 12, isSame: false },
  { range: listOf(['2002::/16']), at: 2, isSame: false },
  { range: listOf(['2001::/32']), at: 12, isSame: false, inverted: true },
  { range: listOf(['::/96']), at: 12, isSame: false },
];

/** Returns the class of an IP address in any notation that the system gives, mapped and translated ones included. */
export function classOf(address: string): AddressClass {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIP(bare) === 0) return 'refused';
  if (isIPv6(bare)) {
    if (LOOPBACK.check(bare, 'ipv6')) return 'loopback';
    const embedding = EMBEDDING.find(({ range }) => range.check(bare, 'ipv6'));
    if (embedding !== undefined && bare !== '::') {
      const inner = classOf(embeddedIn(bare, embedding));
      // Translation leads elsewhere than a mapped address: what it hides is never allowed.
      return embedding.isSame || inner === 'public' ? inner : 'refused';
    }
  }
  const family = isIPv4(bare) ? 'ipv4' : 'ipv6';
  if (REFUSED.check(bare, family)) return 'refused';
  if (LOOPBACK.check(bare, family)) return 'loopback';
  return PRIVATE.check(bare, family) ? 'private' : 'public';
}

export interface AddressPolicy {
  readonly allowPrivate: boolean;
  /** Requests without TLS leave this machine; else they may go to loopback alone. */
  readonly allowHttp: boolean;
}

/** Returns why a request may not go to this address, or null. */
export function addressProblem(
  address: string,
  protocol: string,
  { allowPrivate, allowHttp }: AddressPolicy,
): string | null {
  const found = classOf(address);
  if (found === 'refused') return 'is a link-local, metadata or reserved address, which is never allowed';
  if (found === 'private' && !allowPrivate) return 'is a private address, which allowPrivate allows';
  if (found !== 'loopback' && protocol === 'http:' && !allowHttp) return 'must be reached with https://, or allowHttp';
  return null;
}

/** Names that lead to the metadata of a cloud. */
const METADATA_NAMES = ['metadata.google.internal', 'metadata.goog', 'instance-data'];

/** Returns why a URL is no target, or null; names are resolved, and checked again, when they are connected to. */
export function targetUrlProblem(text: string, policy: AddressPolicy): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be a URL that starts with https://';
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  if (url.hash !== '') return 'must not carry a fragment';
  const host = url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (METADATA_NAMES.includes(host)) return 'is a metadata address, which is never allowed';
  if (isIP(host) !== 0) return addressProblem(host, url.protocol, policy);
  const isPlain = url.protocol === 'http:' && host !== 'localhost' && !policy.allowHttp;
  return isPlain ? 'must start with https://, unless it is on this machine or allowHttp is set' : null;
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6');
  }
  return list;
}

function embeddedIn(address: string, { at, inverted = false }: { at: number; inverted?: boolean }): string {
  return [...bytesOf(address).subarray(at, at + 4)].map((byte) => (inverted ? byte ^ 0xff : byte)).join('.');
}

function bytesOf(address: string): Uint8Array {
  // The parser of URLs writes every notation as groups of hexadecimal digits.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const middle = tail === undefined ? [] : new Array<string>(8 - first.length - last.length).fill('0');
  const all = [...first, ...middle, ...last].map((group) => Number.parseInt(group, 16));
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
