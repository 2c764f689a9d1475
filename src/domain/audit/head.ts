import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AuditEntry } from './entry.ts';

/** The head of the chain: its last entry. */
export type Head = Pick<AuditEntry, 'seq' | 'hash'>;

/** What precedes the head under the signature, so that the key signs nothing else. */
const PURPOSE = 'tallyhook audit\n';
const HEAD = /^([1-9]\d{0,14}):([0-9a-f]{64})$/;

/** `SEQ:HASH`, which a person notes. */
export function headText({ seq, hash }: Head): string {
  return `${seq}:${hash}`;
}

/** Null: not of the form of `headText`. */
export function parseHead(text: string): Head | null {
  const [, seq = '', hash = ''] = HEAD.exec(text.trim().toLowerCase()) ?? [];
  return hash === '' ? null : { seq: Number(seq), hash };
}

/** HMAC-SHA256 (hex) of the head. */
export function headSignature(key: Uint8Array, head: Head): string {
  return createHmac('sha256', key).update(PURPOSE).update(headText(head)).digest('hex');
}

export function isSignedBy(key: Uint8Array, head: Head, signature: string): boolean {
  const [made, given] = [Buffer.from(headSignature(key, head)), Buffer.from(signature)];
  return made.length === given.length && timingSafeEqual(made, given);
}
