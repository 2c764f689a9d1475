import { candidateName } from '../domain/matching/candidate.ts';
import { formatAmount, isAmount } from '../domain/money/amount.ts';
import type { BreakValue } from '../domain/reconciling/break.ts';
import { argumentText, optionText } from '../domain/records/advised-word.ts';
import type { Item, Place } from './item.ts';

// The sentences of an item that comes from a statement: why it is one, and what to do about it.

/** An item with its place in a statement. */
export type PlacedItem = Item & { readonly place: Place };

type Sentence = (item: PlacedItem) => string;

const REASONS: Readonly<Record<string, Sentence>> = {
  missing_internal: ({ facts }) => `the statement shows ${text(facts.theirs)}, and no record of ours has it`,
  missing_external: (item) =>
    `our ${thing(item)} of ${text(item.facts.ours)} should have its line by ${item.firstSeen}`,
  timing: (item) =>
    item.facts.side === 'ours'
      ? `our ${thing(item)} of ${text(item.facts.ours)}: ${item.facts.detail}`
      : `the statement shows ${text(item.facts.theirs)} before our ${thing(item)}${item.facts.detail === null ? '' : ` of ${item.facts.detail}`}`,
  amount_mismatch: ({ facts }) => `${facts.field} ${text(facts.theirs)}, our records say ${text(facts.ours)}`,
  'amount_mismatch over_charged_back': ({ facts }) =>
    `${text(facts.theirs)} was charged back of ${text(facts.ours)} collected`,
  fee_mismatch: ({ facts }) => `fee ${text(facts.theirs)}, our records say ${text(facts.ours)}`,
  tax_mismatch: ({ facts }) => `tax ${text(facts.theirs)}, schedule says ${text(facts.ours)}`,
  duty_mismatch: ({ facts }) => `stamp duty ${text(facts.theirs)}, our records say ${text(facts.ours)}`,
  currency_mismatch: ({ facts }) => `the statement is in ${text(facts.theirs)}, our record in ${text(facts.ours)}`,
  status_mismatch: ({ facts }) => `our record is ${text(facts.ours)}, the statement shows it ${text(facts.theirs)}`,
  fact_mismatch: ({ facts }) =>
    `the statement says that it belongs to ${text(facts.theirs)}, our record to ${text(facts.ours)}`,
  reserve_mismatch: ({ facts }) => `reserved ${text(facts.theirs)}, our records say ${text(facts.ours)}`,
  split_incomplete: ({ facts }) =>
    `the lines of this batch add up to ${text(facts.ours)}, and ${text(facts.theirs)} was paid`,
  duplicate_external: () => 'another line of this reference says the same, or stands for it',
  duplicate_internal: ({ kind, facts, reference }) =>
    kind === 'top_up'
      ? `the wallet has another top-up ${reference}`
      : `payout ${facts.detail} has the same session id, amount and destination`,
  ambiguous: ({ place, facts: { detail } }) =>
    `it may belong to any of ${place.candidates.map(candidateName).join(', ')}${detail === null ? '' : ` ${detail}`}`,
  unparsed: ({ facts }) => facts.detail ?? '',
  unclassified: ({ facts }) => `the profile does not know the word "${facts.detail}"`,
  control_mismatch: ({ facts }) =>
    `${facts.field}: the file says ${text(facts.theirs)}, its lines make ${text(facts.ours)}${also(facts.detail)}`,
  statement_gap: ({ facts, firstSeen }) =>
    facts.theirs === null || sameText(facts.ours, facts.theirs)
      ? (facts.detail ?? '')
      : facts.sub === 'begin'
        ? `on ${firstSeen} it begins with ${text(facts.theirs)}, \`reconcile.begin\` makes ${text(facts.ours)}${also(facts.detail)}`
        : `it opens with ${text(facts.theirs)}, the statements before it end with ${text(facts.ours)}${also(facts.detail)}`,
  late_arrival: ({ facts: { detail } }) => `it became known after its period was closed: ${detail}`,
  suggested: ({ facts: { detail } }) =>
    `${detail === 'settlement_day' ? 'the batch of that day has this sum' : 'amount and date agree'}, and nothing else says that they belong together`,
  unexplained: () => 'what is said of it does not add up to what it moved',
};

/** For a line of another business on an account of a bank. */
const OTHER_TYPE =
  'let `types` of the profile, under a new name, make such lines `other`; then remove the statement and import it again.';

const NEXT: Readonly<Record<string, Sentence>> = {
  missing_internal: (item) =>
    item.kind === 'batch'
      ? `Import the settlement statement that has its batch. If the service did not pay it: ${OTHER_TYPE}`
      : item.kind === 'top_up'
        ? `Import the statement of the wallet of that day. If it went elsewhere: ${OTHER_TYPE}`
        : item.reference === null
          ? 'Find out what it paid for; if it is no payment of yours, ask who sent the file.'
          : `Ask the service about it: tallyhook why ${argumentText(item.reference)}; if it knows none, ask who sent the file.`,
  missing_external: () => 'Ask the service, bank or bookkeeper of the account where this money is.',
  timing: () => 'Wait: it is reported as a break when its time is over, and ends with its line.',
  amount_mismatch: () => 'Hold both against the order, then claim the difference or correct your books.',
  'amount_mismatch over_charged_back': ({ reference }) =>
    `Look at the chargebacks of ${reference} in the statements; ask the service to give back the one too many.`,
  fee_mismatch: () => 'Hold the fee against your contract, then claim the difference.',
  tax_mismatch: () => 'Hold the tax against the law of that day, then claim the difference.',
  duty_mismatch: () => 'Hold the duty against the law of that day, then claim the difference.',
  currency_mismatch: () => 'Ask the service which currency the money moved in.',
  status_mismatch: ({ reference }) =>
    `Ask the service for its status: tallyhook sweep ${optionText('reference', reference ?? '')}`,
  fact_mismatch: ({ reference }) => `Ask the service which transaction refund ${reference} gave back.`,
  reserve_mismatch: ({ reference }) => `Ask the service how much it reserves for refund ${reference}.`,
  split_incomplete: () => 'Ask the service which payments the batch holds.',
  duplicate_external: () => 'Ask the service, bank or bookkeeper of the account whether the money moved twice.',
  duplicate_internal: ({ kind, reference }) =>
    kind === 'top_up'
      ? `Ask the service whether top-up ${reference} was booked twice.`
      : `Find out whether ${reference} was paid twice; ask the service which payout moved money.`,
  ambiguous: (item) => `Look at its candidates, then say which one it is${example(item)}`,
  unparsed: () => 'Mend the row in the file or the profile; then remove the statement and import it again.',
  unclassified: () =>
    'Add the word to `types` of the profile under a new name; then remove the statement and import it again.',
  control_mismatch: () => 'Ask for the file again: rows may be missing or altered.',
  statement_gap: ({ facts: { sub }, place: { account } }) => {
    const list = `tallyhook statements list ${optionText('account', account)}`;
    if (sub === 'contradicting' || sub === 'lacking')
      return `Remove the outdated file (${list}): tallyhook statements remove NUMBER`;
    if (sub === 'repeating')
      return `If both moved money, put the lines of both files into one file, remove both (${list}), and import it.`;
    if (sub === 'begin') return 'Correct the balance of `reconcile.begin`, or import the statement of the days before.';
    return 'Import the statement of the missing days.';
  },
  late_arrival: () => 'Book it in this period; it never changes the closed one. The next close ends it.',
  suggested: () => 'If they belong together, confirm it: tallyhook matches list --state suggested',
  unexplained: ({ reference }) =>
    `The program judged it wrongly. Report it with what this prints: tallyhook why ${argumentText(reference ?? '')}`,
};

/** Why it is a break, as a clause. */
export function statementReason(item: PlacedItem): string {
  return sentenceOf(REASONS, item) ?? item.facts.detail ?? '';
}

/** What to do about it, as a sentence. */
export function statementNextStep(item: PlacedItem): string {
  return sentenceOf(NEXT, item) ?? '';
}

/** By code and sub-kind; a sub-kind without a sentence has that of its code. */
function sentenceOf(sentences: Readonly<Record<string, Sentence>>, item: PlacedItem): string | undefined {
  const { code, sub } = item.facts;
  return (sentences[`${code} ${sub}`] ?? sentences[code])?.(item);
}

/**
 * A command with a candidate that exists. The place of the line stands beside, in the break and before each candidate: a sentence that
 * had it would differ with the files that brought the line.
 */
function example({ reference, place: { line, candidates }, kind, facts }: PlacedItem): string {
  const [first] = candidates;
  const name = facts.side === 'ours' && kind !== null ? reference : first;
  if (line === null || name === undefined || name === null) return '.';
  return `, such as: tallyhook matches confirm --line STATEMENT:ROW ${optionText('reference', name)}`;
}

function thing({ kind }: PlacedItem): string {
  return kind === null ? 'record' : kind.replace('_', '-');
}

function text(value: BreakValue): string {
  return isAmount(value) ? formatAmount(value) : (value ?? 'nothing');
}

function sameText(one: BreakValue, other: BreakValue): boolean {
  return text(one) === text(other);
}

function also(detail: string | null): string {
  return detail === null ? '' : ` (${detail})`;
}
