import type { Environment } from '../domain/environment.ts';
import type { ByPerson } from './audit.ts';

/** What could not be carried out: a delivery with its body, or a whole entry of the log. */
export interface AsideDelivery {
  readonly id: number;
  /** Its entry in the log, and its place there, from 0; null: the whole entry. */
  readonly seq: number;
  readonly place: number | null;
  readonly setAsideAtMs: number;
  readonly reason: string;
  /** These three are null for a whole entry. */
  readonly environment: Environment | null;
  readonly keyId: string | null;
  readonly receivedAtMs: number | null;
  /** When a person asked to carry it out again, and it was not tried yet; null: not asked. */
  readonly retryAtMs: number | null;
  readonly bytes: Uint8Array;
}

/** Most ids of one call: it is one transaction. */
export const MOST_ASIDE = 100;

/** Which of them, by a person. */
export interface AsideOrder extends ByPerson {
  readonly ids: readonly number[];
}

/** Those that were there. */
export interface AsideChanged {
  readonly ids: readonly number[];
}

/** One group of the operations: what a person does about deliveries that were set aside. Each act is entered in the audit. */
export interface Aside {
  /** The next process that carries the log out tries them again. */
  readonly retry: (order: AsideOrder) => Promise<AsideChanged>;
  /** Deletes them with their bytes. */
  readonly drop: (order: AsideOrder) => Promise<AsideChanged>;
}
