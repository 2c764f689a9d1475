import type { FindingCode } from '../domain/findings/finding.ts';

/** What to do about an open finding: one sentence per code. */
export const FINDING_ADVICE = {
  variant:
    'Compare the contents (`tallyhook events show ID`) and use the confirmed status: a status check is due at once.',
  contradiction:
    'Use the confirmed status: the event contradicts itself or its environment, so none of its statuses counts.',
  fact_conflict:
    'Ask the support of the service which value is right before you book anything: this field must never change.',
  unreadable_amount: 'Look at the raw value (`tallyhook events show ID`) and get the right one from the service.',
  tie: 'Wait for the status check, which is due at once; if this stays open, ask the support of the service which status is right.',
  final_regressed: 'Do not act on the later status before the service confirms it; ask its support what happened.',
  final_conflict:
    'Stop everything that depends on either outcome, and ask the support of the service which one is right.',
  reserve_mismatch:
    'Send the figures that do not add up to the support of the service, and compare them with your balance there.',
  underpaid:
    'Deliver nothing before you know how much arrived: ask the support of the service, or the customer for the rest.',
  webhook_vs_api:
    'Book neither status, and ask the support of the service why its status endpoint and its webhooks differ.',
  stuck: 'Ask the support of the service about it; `tallyhook sweep --reference REF` then checks it once more.',
  unaskable: 'Ask the support of the service about it: its reference cannot be part of a request.',
  other_answer:
    'Book nothing from it, and check `baseUrl`, the key, and any proxy or cache between here and the service; if you mistyped the currency, track it again.',
  absent: 'Ask the support of the service whether this refund exists: its absence from the list alone proves nothing.',
  never_seen: 'Check that it was started under exactly this reference, then ask the support of the service.',
  amount_unexpected:
    'Compare it with the order: an under- or overpayment needs a decision before you deliver anything.',
  currency_unexpected:
    'Compare it with the order, and deliver nothing until the amount in the agreed currency is there.',
} as const satisfies Record<FindingCode, string>;
