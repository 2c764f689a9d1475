import { formatAmount, isAmount } from '../domain/money/amount.ts';
import type { BreakValue } from '../domain/reconciling/break.ts';
import { argumentText, optionText } from '../domain/records/advised-word.ts';
import type { Item } from './item.ts';
import { type PlacedItem, statementNextStep, statementReason } from './statement-wording.ts';

// The sentences of a difference between the witnesses of one record: why it is a break, and what to do about it.

type NamedItem = Item & { readonly reference: string };
type Sentence = (item: NamedItem) => string;

/** Why, by code and sub-kind; a sub-kind without a sentence has that of its code. */
const REASONS: Readonly<Record<string, Sentence>> = {
  stuck: ({ kind, facts, firstSeen }) =>
    facts.detail === null
      ? `this ${kind} is ${valueText(facts.ours)}; the service should have settled it by ${firstSeen}`
      : `the webhooks report ${valueText(facts.ours)}; ${facts.detail}, and should have by ${firstSeen}`,
  'stuck unaskable': ({ facts }) => `${facts.detail}, so the service cannot confirm it`,
  'timing unsettled': ({ kind, facts, firstSeen }) =>
    `this ${kind} is ${valueText(facts.ours)}; the service has until ${firstSeen} to settle it`,
  'timing unconfirmed': ({ facts, firstSeen }) =>
    `the webhooks report ${valueText(facts.ours)}; the service has not confirmed it yet, and has until ${firstSeen}`,
  'timing webhook_vs_api': () =>
    'the webhooks report another status than the last answer, which is older than they are',
  'timing never_seen': ({ firstSeen }) =>
    `expected by ${firstSeen}; neither a webhook nor the service has mentioned it`,
  'not_confirmed no_endpoint': () => 'there is no status endpoint for it, so only the webhooks speak',
  'not_confirmed unproven_endpoint': () =>
    'its status endpoint has never given a usable answer, so only the webhooks speak',
  'missing_external never_seen': ({ firstSeen }) =>
    `expected by ${firstSeen}; neither a webhook nor the service has mentioned it`,
  'missing_external absent': () => "two complete walks along the service's list did not list this refund",
  'amount_mismatch over_refunded': ({ facts }) =>
    `${valueText(facts.theirs)} was refunded of ${valueText(facts.ours)} collected`,
  'amount_mismatch charge': ({ facts }) => facts.detail ?? '',
  'amount_mismatch expected': ({ facts }) => facts.detail ?? '',
  'currency_mismatch expected': ({ facts }) => facts.detail ?? '',
  'currency_mismatch other_answer': ({ facts }) => facts.detail ?? '',
  status_mismatch: ({ facts }) => facts.detail ?? '',
  reserve_mismatch: ({ facts }) =>
    isAmount(facts.ours)
      ? `${facts.field} does not hold: ${valueText(facts.ours)} against ${valueText(facts.theirs)}`
      : (facts.detail ?? ''),
  unparsed: ({ facts }) => facts.detail ?? '',
  fact_mismatch: ({ facts }) => `${facts.field} must never change: ${facts.detail}`,
  duplicate_internal: ({ facts }) => `payout ${facts.detail} has the same session id, amount and destination`,
};

/** Of differences in a field of money: the service's word is our side. */
const DIFFERENT: Sentence = ({ facts }) => {
  const { field, ours, theirs, detail } = facts;
  if (ours === null || theirs === null || detail !== null) return `${field} has several values: ${detail}`;
  return `${field}: the service says ${valueText(ours)}, the webhooks say ${valueText(theirs)}`;
};

const NEXT: Readonly<Record<string, Sentence>> = {
  stuck: ({ kind, reference }) =>
    `Ask the service again (tallyhook sweep ${optionText('reference', reference)}), then ask its support about this ${kind}.`,
  'stuck unaskable': () => 'Ask the support of the service for its status: this reference cannot be part of a request.',
  'timing unsettled': () => 'Wait: the sweep asks the service until then.',
  'timing unconfirmed': ({ reference }) =>
    `Wait for the next sweep, or run: tallyhook sweep ${optionText('reference', reference)}`,
  'timing webhook_vs_api': ({ reference }) =>
    `Wait for the next sweep, or run: tallyhook sweep ${optionText('reference', reference)}`,
  'timing never_seen': () => 'Wait until that day.',
  'not_confirmed no_endpoint': () => 'Set baseUrl, and the path of this endpoint, if the service has one.',
  'not_confirmed unproven_endpoint': () => 'Run tallyhook doctor, and check collectionPath and payoutPath.',
  'missing_external never_seen': ({ kind, reference }) =>
    `Look in your own books whether this ${kind} was ever sent; if not, run: tallyhook track forget ${argumentText(reference)}`,
  'missing_external absent': ({ reference }) => `Ask the support of the service whether it knows refund ${reference}.`,
  'amount_mismatch over_refunded': ({ reference }) =>
    `Look at its refunds (tallyhook why ${argumentText(reference)}); ask the service to correct the one too many.`,
  'amount_mismatch charge': ({ reference }) =>
    `Do not deliver for the whole amount: tallyhook why ${argumentText(reference)}`,
  'amount_mismatch expected': ({ reference }) =>
    `Compare it with the order, then correct what is tracked: tallyhook why ${argumentText(reference)}`,
  'currency_mismatch expected': ({ reference }) =>
    `Compare it with the order, then correct what is tracked: tallyhook why ${argumentText(reference)}`,
  duplicate_internal: ({ reference }) =>
    `Find out whether ${reference} was paid twice; ask the service which payout moved money.`,
  reserve_mismatch: ({ reference }) => `Ask the service how much it reserves for refund ${reference}.`,
  unparsed: ({ reference }) => `Read the raw text in its event: tallyhook why ${argumentText(reference)}`,
  fee_mismatch: ({ reference }) =>
    `Take the service's fee; ask why the webhook named another: tallyhook why ${argumentText(reference)}`,
  duty_mismatch: ({ reference }) =>
    `Take the service's duty; ask why the webhook named another: tallyhook why ${argumentText(reference)}`,
};

const LOOK: Sentence = ({ reference }) =>
  `See which witness said what, then ask the service: tallyhook why ${argumentText(reference)}`;

/** Why it is a break, as a clause. */
export function reason(item: Item): string {
  if (isPlaced(item)) return statementReason(item);
  const named = { ...item, reference: item.reference ?? '' };
  return sentenceIn(REASONS, item)?.(named) ?? DIFFERENT(named);
}

/** What to do about it, as a sentence. */
export function nextStep(item: Item): string {
  if (isPlaced(item)) return statementNextStep(item);
  return (sentenceIn(NEXT, item) ?? LOOK)({ ...item, reference: item.reference ?? '' });
}

function isPlaced(item: Item): item is PlacedItem {
  return item.place !== null;
}

function sentenceIn(sentences: Readonly<Record<string, Sentence>>, { facts }: Item): Sentence | undefined {
  return sentences[`${facts.code} ${facts.sub}`] ?? sentences[facts.code];
}

function valueText(value: BreakValue): string {
  return isAmount(value) ? formatAmount(value) : (value ?? 'without a status');
}
