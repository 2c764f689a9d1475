import { isLoopback } from '../../domain/requests/base-url.ts';

/*
 * What stands before every answer: which names of this machine are answered, which page may send a form, and the headers that bind the
 * browser. RELIABILITY T17, T18.
 */

export interface GuardRules {
  readonly host: string;
  /** Where people reach it; null: on this machine alone. */
  readonly publicUrl: string | null;
}

/** What of a request decides. */
export interface Asking {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

export class Guard {
  readonly #hosts: ReadonlySet<string>;
  readonly #publicOrigin: string | null;

  constructor({ host, publicUrl }: GuardRules) {
    this.#publicOrigin = publicUrl === null ? null : new URL(publicUrl).origin;
    const own = isLoopback(host) ? [host] : [];
    this.#hosts = new Set([...LOOPBACK_NAMES, ...own, ...(publicUrl === null ? [] : [new URL(publicUrl).hostname])]);
  }

  /** Whether the name in the address bar is one of ours: another one may be a web page that had its name lead here. */
  allowsHost({ headers }: Asking): boolean {
    return this.#hosts.has(hostOf(headers).replace(/:\d+$/, '').toLowerCase());
  }

  /**
   * Whether a form came from a page of ours. A browser says where it came from in `Sec-Fetch-Site`, or in `Origin`; a request that says
   * neither is no form of a page.
   */
  isFromOwnPage({ headers }: Asking): boolean {
    const site = textOf(headers['sec-fetch-site']);
    const origin = textOf(headers.origin);
    if (site === null && origin === null) return false;
    if (site !== null && site !== 'same-origin') return false;
    // Our pages send no referrer, and then a browser writes `null` for the origin of their forms, too.
    if (origin === 'null') return site === 'same-origin';
    return origin === null || this.#isOwnOrigin(origin, hostOf(headers));
  }

  /** Whether the browser was led here from another site: it leaves a strict cookie away then. */
  isFromAnotherSite({ headers }: Asking): boolean {
    return textOf(headers['sec-fetch-site']) === 'cross-site';
  }

  #isOwnOrigin(origin: string, host: string): boolean {
    return origin === this.#publicOrigin || origin === `http://${host}` || origin === `https://${host}`;
  }
}

/** An address on this dashboard: never one of another site, however it is written. */
export function ownAddress(to: string): string {
  const url = ownUrl(to);
  return url === null ? '/' : `${url.pathname}${url.search}${url.hash}`;
}

/** Null: a browser would take it for another site, such as `//evil.example`. */
export function ownUrl(address: string): URL | null {
  const url = URL.canParse(address, 'http://dashboard') ? new URL(address, 'http://dashboard') : null;
  const isOwn = url?.origin === 'http://dashboard' && address.startsWith('/') && !url.pathname.startsWith('//');
  return isOwn ? url : null;
}

function hostOf(headers: Asking['headers']): string {
  return textOf(headers.host) ?? '';
}

function textOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}

/** Of every answer. Nothing is loaded but our own files; nothing can frame, embed, keep or name a page. */
export const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cache-control': 'no-store',
} as const;
