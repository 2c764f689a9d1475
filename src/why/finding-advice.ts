import type { FindingCode } from '../domain/finding.ts';

/** What a person does about a finding that is open: one sentence per code. */
export const FINDING_ADVICE = {
  variant:
    'Compare the contents (`tallyhook events show ID`) and go by what the service confirms: it is asked about this at once.',
  contradiction: 'Go by what the service confirms: the event says two things, so neither of them counts.',
  fact_conflict: 'Ask the service which value is true before anything is booked: this must never change.',
  unreadable_amount: 'Look at the raw amount (`tallyhook events show ID`) and take the true one from the service.',
  tie: 'Wait for what the service confirms, which is asked for at once; if this stays open, ask it which status is true.',
  final_regressed: 'Do not act on the later claim before the service confirms it; ask it what happened.',
  final_conflict: 'Stop whatever rests on either outcome, and ask the service which one is true.',
  reserve_mismatch: 'Send the figures that do not add up to the service, and compare them with your balance there.',
  webhook_vs_api: 'Book nothing on either word, and ask the service why its answers and its webhooks differ.',
  stuck: 'Ask the service about it by other means; `tallyhook sweep --reference REF` then asks once more.',
  unaskable: 'Ask the service about it by other means: its reference cannot be put into a question.',
  absent: 'Ask the service whether this refund exists; that its list lacks it proves nothing by itself.',
  never_seen: 'Check that it was started under exactly this reference, then ask the service.',
  amount_unexpected:
    'Compare it with the order: an under- or overpayment needs a decision before anything is delivered.',
  currency_unexpected:
    'Compare it with the order, and deliver nothing until the amount in the agreed currency is there.',
} as const satisfies Record<FindingCode, string>;
