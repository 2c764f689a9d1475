import { isAmount } from '../money/amount.ts';
import { argumentText, optionText } from '../records/advised-word.ts';
import { askReserve, detail, fixed, paidTwice, type Sentence, status, type WordsOfSubs, whyCommand } from './told.ts';

// What is said of a difference between the witnesses of one record.

/** Of differences in a field of money: the service's word is our side. */
const differs: Sentence = ({ field, ours, theirs, detail }) =>
  ours === null || theirs === null || detail !== null
    ? `${field} has several values: ${detail}`
    : `${field}: the service says ${status(ours)}, the webhooks say ${status(theirs)}`;
const why: Sentence = (one) => `See which witness said what, then ask the service: ${whyCommand(one)}`;
const neverSeen: Sentence = ({ firstSeen }) =>
  `expected by ${firstSeen}; neither a webhook nor the service has mentioned it`;
const correctTracked: Sentence = (one) => `Compare it with the order, then correct what is tracked: ${whyCommand(one)}`;
const waitForSweep: Sentence = ({ reference }) =>
  `Wait for the next sweep, or run: tallyhook sweep ${optionText('reference', reference ?? '')}`;

export const OF_WITNESSES = {
  missing_external: {
    ...{ why: neverSeen, next: why },
    subs: {
      never_seen: {
        next: ({ kind, reference }) =>
          `Look in your own books whether this ${kind} was ever sent; if not, run: tallyhook track forget ${argumentText(reference ?? '')}`,
      },
      absent: {
        why: fixed("two complete walks along the service's list did not list this refund"),
        next: ({ reference }) => `Ask the support of the service whether it knows refund ${reference}.`,
      },
    },
  },
  amount_mismatch: {
    ...{ why: differs, next: why },
    subs: {
      over_refunded: {
        why: ({ ours, theirs }) => `${status(theirs)} was refunded of ${status(ours)} collected`,
        next: (one) => `Look at its refunds (${whyCommand(one)}); ask the service to correct the one too many.`,
      },
      charge: {
        why: detail,
        next: (one) => `Do not deliver for the whole amount: ${whyCommand(one)}`,
      },
      expected: { why: detail, next: correctTracked },
    },
  },
  fee_mismatch: {
    why: differs,
    next: (one) => `Take the service's fee; ask why the webhook named another: ${whyCommand(one)}`,
  },
  duty_mismatch: {
    why: differs,
    next: (one) => `Take the service's duty; ask why the webhook named another: ${whyCommand(one)}`,
  },
  currency_mismatch: {
    ...{ why: differs, next: why },
    subs: { expected: { why: detail, next: correctTracked }, other_answer: { why: detail } },
  },
  status_mismatch: { why: detail, next: why },
  fact_mismatch: { why: (one) => `${one.field} must never change: ${one.detail}`, next: why },
  duplicate_internal: paidTwice,
  reserve_mismatch: {
    why: ({ field, ours, theirs, detail }) =>
      isAmount(ours) ? `${field} does not hold: ${status(ours)} against ${status(theirs)}` : (detail ?? ''),
    next: askReserve,
  },
  unparsed: {
    why: detail,
    next: (one) => `Read the raw text in its event: ${whyCommand(one)}`,
  },
  stuck: {
    why: ({ kind, ours, detail, firstSeen }) =>
      detail === null
        ? `this ${kind} is ${status(ours)}; the service should have settled it by ${firstSeen}`
        : `the webhooks report ${status(ours)}; ${detail}, and should have by ${firstSeen}`,
    next: ({ kind, reference }) =>
      `Ask the service again (tallyhook sweep ${optionText('reference', reference ?? '')}), then ask its support about this ${kind}.`,
    subs: {
      unaskable: {
        why: (one) => `${one.detail}, so the service cannot confirm it`,
        next: fixed('Ask the support of the service for its status: this reference cannot be part of a request.'),
      },
    },
  },
  timing: {
    why: ({ kind, ours, firstSeen }) =>
      `this ${kind} is ${status(ours)}; the service has until ${firstSeen} to settle it`,
    next: fixed('Wait: the sweep asks the service until then.'),
    subs: {
      unconfirmed: {
        why: ({ ours, firstSeen }) =>
          `the webhooks report ${status(ours)}; the service has not confirmed it yet, and has until ${firstSeen}`,
        next: waitForSweep,
      },
      webhook_vs_api: {
        why: fixed('the webhooks report another status than the last answer, which is older than they are'),
        next: waitForSweep,
      },
      never_seen: { why: neverSeen, next: fixed('Wait until that day.') },
    },
  },
  not_confirmed: {
    why: fixed('there is no status endpoint for it, so only the webhooks speak'),
    next: fixed('Set baseUrl, and the path of this endpoint, if the service has one.'),
    subs: {
      unproven_endpoint: {
        why: fixed('its status endpoint has never given a usable answer, so only the webhooks speak'),
        next: fixed('Run tallyhook doctor, and check collectionPath and payoutPath.'),
      },
    },
  },
} as const satisfies Readonly<Record<string, WordsOfSubs>>;
