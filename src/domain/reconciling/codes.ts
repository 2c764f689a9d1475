import { BREAK_CODES, type BreakCode, type WaitingCode } from './break.ts';
import { OF_STATEMENTS } from './statement-words.ts';
import type { Told, WordsOfSubs } from './told.ts';
import { OF_WITNESSES } from './witness-words.ts';

/*
 * The codes of breaks and of what waits, each once: which item of a period check counts it, what it compares, why it is one, as a
 * clause, and what to do about it, as a sentence. A code without all of them does not compile.
 */

interface CodeOf {
  /** The item of `period check` that counts it. */
  readonly group:
    | 'exceptions'
    | 'unparsed'
    | 'control'
    | 'statements'
    | 'reserves'
    | 'late_items'
    | 'suggestions'
    | 'unexplained';
  /** Whether a row has a counterpart, what two rows say, in money or in words, or a file with itself and its neighbours. */
  readonly compares: 'presence' | 'amount' | 'charge' | 'word' | 'file';
}

type Code = BreakCode | WaitingCode;
/** A code has words where a statement brings it, where the witnesses of one record differ, or for both. */
type Worded = keyof typeof OF_STATEMENTS | keyof typeof OF_WITNESSES;

export const CODES = {
  missing_internal: { group: 'exceptions', compares: 'presence' },
  missing_external: { group: 'exceptions', compares: 'presence' },
  amount_mismatch: { group: 'exceptions', compares: 'amount' },
  fee_mismatch: { group: 'exceptions', compares: 'charge' },
  duty_mismatch: { group: 'exceptions', compares: 'charge' },
  tax_mismatch: { group: 'exceptions', compares: 'charge' },
  currency_mismatch: { group: 'exceptions', compares: 'word' },
  status_mismatch: { group: 'exceptions', compares: 'word' },
  fact_mismatch: { group: 'exceptions', compares: 'word' },
  duplicate_internal: { group: 'exceptions', compares: 'presence' },
  duplicate_external: { group: 'exceptions', compares: 'presence' },
  ambiguous: { group: 'exceptions', compares: 'presence' },
  split_incomplete: { group: 'exceptions', compares: 'amount' },
  reserve_mismatch: { group: 'reserves', compares: 'amount' },
  unparsed: { group: 'unparsed', compares: 'word' },
  unclassified: { group: 'exceptions', compares: 'word' },
  control_mismatch: { group: 'control', compares: 'file' },
  statement_gap: { group: 'statements', compares: 'file' },
  late_arrival: { group: 'late_items', compares: 'presence' },
  stuck: { group: 'exceptions', compares: 'word' },
  timing: { group: 'suggestions', compares: 'presence' },
  not_confirmed: { group: 'suggestions', compares: 'word' },
  suggested: { group: 'suggestions', compares: 'presence' },
  unexplained: { group: 'unexplained', compares: 'amount' },
} as const satisfies { [One in Code]: One extends Worded ? CodeOf : 'it has no words' };

/** Why it is a break, as a clause, and what to do about it, as a sentence. A sub-kind without words of its own has those of its code. */
export function wordsOf(one: Told): { readonly reason: string; readonly nextStep: string } {
  const statement = wordsIn(OF_STATEMENTS, one.code);
  const witnesses = wordsIn(OF_WITNESSES, one.code);
  const words = (one.account === null ? witnesses : statement) ?? statement ?? witnesses;
  if (words === undefined) throw new Error(`No words of ${one.code}.`); // Worded forbids it
  const own = { ...words, ...words.subs?.[one.sub ?? ''] };
  return { reason: own.why(one), nextStep: own.next(one) };
}

function wordsIn(words: Partial<Record<Code, WordsOfSubs>>, code: Code): WordsOfSubs | undefined {
  return words[code];
}

/** Whether its values are no amounts. */
export function comparesWords(code: string): boolean {
  return rulesOf(code)?.compares === 'word';
}

/** What is said of a file, and of none of our rows. */
export const FILE_CODES = BREAK_CODES.filter((code) =>
  ['unparsed', 'control', 'statements'].includes(CODES[code].group),
);

export function isOfFile(code: string): boolean {
  return FILE_CODES.some((one) => one === code);
}

/** Whether a break is about a fee, a tax or a duty. */
export function isCharge(code: string): boolean {
  return rulesOf(code)?.compares === 'charge';
}

/** Whether a period check counts a break in this item. */
export function isOfGroup(code: string, group: CodeOf['group']): boolean {
  return rulesOf(code)?.group === group;
}

function rulesOf(code: string): CodeOf | undefined {
  return isCode(code) ? CODES[code] : undefined;
}

export function isCode(text: string): text is Code {
  return Object.hasOwn(CODES, text);
}
