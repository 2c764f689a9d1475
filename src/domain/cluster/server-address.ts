import { isLoopback } from '../requests/base-url.ts';

/** One server of `cluster.url`. */
export interface ServerHost {
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  /** Another machine: the connection is encrypted, and the certificate must have this name. */
  readonly isEncrypted: boolean;
}

/** What `cluster.url` names. */
export interface ServerAddress {
  readonly hosts: readonly [ServerHost, ...ServerHost[]];
  readonly role: string;
  readonly database: string;
  readonly password: string | null;
}

const FORM = 'postgres://ROLE@HOST:PORT,HOST:PORT/DATABASE';
const MOST_HOSTS = 9;
/** Settings of the address that change nothing: the server that can be written is always the one that is used. */
const OF_NO_EFFECT = ['target_session_attrs', 'application_name', 'connect_timeout'];

/** Returns the rule that an address breaks, or null. */
export function serverAddressProblem(url: string): string | null {
  const read = readServerAddress(url);
  return typeof read === 'string' ? read : null;
}

/** The parts of an address, as libpq reads it; or the rule that it breaks. No rule shows a part of the address. */
export function readServerAddress(url: string): ServerAddress | string {
  const [, authority = '', path = '', query = ''] =
    /^postgres(?:ql)?:\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/i.exec(url) ?? [];
  if (!/^postgres(?:ql)?:\/\//i.test(url)) return `must have the form ${FORM}`;
  try {
    const at = authority.lastIndexOf('@');
    const [role = '', password = null] = at < 0 ? [] : splitOnce(authority.slice(0, at), ':').map(decodeURIComponent);
    if (role === '') return `must name the role: ${FORM}`;
    const parameters = new URLSearchParams(query);
    const unknown = [...parameters.keys()].find((name) => !['host', 'port', 'sslmode', ...OF_NO_EFFECT].includes(name));
    if (unknown !== undefined) return 'has a parameter other than host, port and sslmode';
    const database = decodeURIComponent(path);
    if (database === '' || database.includes('/')) return `must name the database: ${FORM}`;
    const hosts = hostsOf(parameters.get('host') ?? authority.slice(at + 1), parameters);
    return typeof hosts === 'string' ? hosts : { hosts, role, database, password };
  } catch {
    return 'has a % that is no encoded character; a literal one is written %25';
  }
}

/** An address without its password, and the password. */
export function splitPassword(url: string): { readonly url: string; readonly password: string | null } {
  const read = readServerAddress(url);
  if (typeof read === 'string' || read.password === null) return { url, password: null };
  return { url: url.replace(/^([^:]+:\/\/[^:@/]*):[^/]*@/, '$1@'), password: read.password };
}

/** The same servers and database, by another role. */
export function asRole(url: string, role: string): string {
  return url.replace(/^([^:]+:\/\/)[^@/]*@/, `$1${encodeURIComponent(role).replaceAll('$', '$$$$')}@`);
}

function hostsOf(list: string, parameters: URLSearchParams): ServerAddress['hosts'] | string {
  const sslmode = parameters.get('sslmode');
  if (sslmode !== null && sslmode !== 'verify-full' && sslmode !== 'disable')
    return 'has an sslmode that does not verify the name of the server: leave it out, or write verify-full';
  const hosts: ServerHost[] = [];
  for (const one of list.split(',')) {
    const [, bracketed, plain = '', portText] = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(one) ?? [];
    const host = bracketed ?? decodeURIComponent(plain);
    const port = Number(portText ?? parameters.get('port') ?? 5432);
    if (host === '') return `must name a host: ${FORM}`;
    if (!Number.isInteger(port) || port < 1 || port > 65_535) return 'has a port that is not from 1 to 65535';
    const isNear = host.startsWith('/') || isLoopback(host);
    if (!isNear && sslmode === 'disable')
      return 'has sslmode=disable: a connection to another machine is always encrypted';
    hosts.push({ host, port, isEncrypted: sslmode === 'verify-full' || !isNear });
  }
  const [first, ...others] = hosts;
  if (first === undefined || hosts.length > MOST_HOSTS) return `must name 1 to ${MOST_HOSTS} hosts`;
  return [first, ...others];
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
