import { randomBytes } from 'node:crypto';
import { LINK_BYTES, linkDigest, linkText } from '../domain/access/one-time.ts';
import type { NewLink } from '../store/users.ts';

/** Where the dashboard is reached, as the configuration says it. */
export interface DashboardPlace {
  readonly host: string;
  readonly port: number;
  /** Null: on this machine alone. */
  readonly publicUrl: string | null;
}

/** A one-time link, once in clear and as the books keep it. */
export interface DrawnLink {
  readonly text: string;
  readonly kept: NewLink;
}

/** A new link. Only who is given it can set up the login of its user. */
export function drawnLink(): DrawnLink {
  const text = linkText(randomBytes(LINK_BYTES));
  return { text, kept: { digest: linkDigest(text) } };
}

/** The address that a person opens: `https://pay.example.com/link/…`. */
export function linkAddress({ host, port, publicUrl }: DashboardPlace, text: string): string {
  const here = host.includes(':') ? `[${host}]` : host;
  return `${publicUrl?.replace(/\/+$/, '') ?? `http://${here}:${port}`}/link/${text}`;
}
