import { sha256 } from '../events/json.ts';

/** What one entry of many subjects says of one of them. */
export interface Touched {
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** `before` and `after` of an entry of many subjects: sha256 of the canonical JSON of [[subject, digest], …], ordered by subject. */
export function touchedDigests(touched: readonly Touched[]): { readonly before: string; readonly after: string } {
  const ordered = inOrder(touched);
  const digestOf = (side: 'before' | 'after') => sha256(JSON.stringify(ordered.map((one) => [one.subject, one[side]])));
  return { before: digestOf('before'), after: digestOf('after') };
}

/** By the bytes of the subject, as the store orders text. */
export function inOrder(touched: readonly Touched[]): readonly Touched[] {
  return [...touched].sort((one, other) => Buffer.compare(Buffer.from(one.subject), Buffer.from(other.subject)));
}
