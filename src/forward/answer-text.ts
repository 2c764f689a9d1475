import { printableLine } from '../domain/text/printable.ts';
import { scrub } from '../service/calls/scrub.ts';

/** Most characters of an answer that are kept. */
const LONGEST = 200;
/** A target may quote what it was sent. Lengths are bounded, so that no text takes long. */
const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,253}/gu;
const ACCOUNT = /\d(?:[ -]?\d){7,}/g;
const WEBHOOK_SECRET = /whsec_[\w+/=-]+/g;

/** Returns the beginning of what a target answered, for a person: one line, without secrets, addresses and account numbers. */
export function answerText(start: Uint8Array): string {
  const text = Buffer.from(start.subarray(0, 16 * LONGEST)).toString();
  const clean = scrub(text, []).replace(WEBHOOK_SECRET, '•••').replace(EMAIL, '•••').replace(ACCOUNT, '•••');
  const line = printableLine(clean.replaceAll(/\s+/g, ' ').trim());
  return line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
}
