import { ANY_CURRENCY, type Need, type ReasonRule, type ReasonRules, type Resolution } from './words.ts';

const ANY: ReasonRule = { resolution: null, account: null, needs: [], approveAbove: {} };

/**
 * The reason codes where the configuration names none. Those by which money is given up have a limit in each currency: without one,
 * one person could accept any amount as `rounding`.
 */
export const STANDARD_REASONS = {
  rounding: { ...ANY, resolution: 'accept', approveAbove: { [ANY_CURRENCY]: 1_00n } },
  bank_charge: { ...ANY, resolution: 'accept', approveAbove: { [ANY_CURRENCY]: 1_000_00n } },
  small_difference: { ...ANY, resolution: 'accept', approveAbove: { [ANY_CURRENCY]: 100_00n } },
  service_error: { ...ANY, resolution: 'claim', needs: ['reference', 'follow_up'] },
  next_period: { ...ANY, resolution: 'carry' },
  booking_error: { ...ANY, resolution: 'ours', needs: ['reference'] },
  other: { ...ANY, needs: ['comment'], approveAbove: { [ANY_CURRENCY]: 100_00n } },
} as const satisfies ReasonRules;

/** What a resolution needs with every reason code: a claim is found again by its reference, and followed up on a day. */
const ALWAYS: Partial<Readonly<Record<Resolution, readonly Need[]>>> = {
  claim: ['reference', 'follow_up'],
  ours: ['reference'],
};

/** The codes that go with a resolution, in their order. */
export function codesOf(reasons: ReasonRules, resolution: Resolution): string[] {
  return Object.entries(reasons).flatMap(([code, rule]) =>
    rule.resolution === null || rule.resolution === resolution ? [code] : [],
  );
}

/** What a person gave with a resolution. */
export interface Given {
  readonly comment: string | null;
  readonly attachments: readonly unknown[];
  readonly reference: string | null;
  readonly followUp: string | null;
}

/** The first thing that the code or the resolution needs and that is missing. */
export function missingOf({ needs }: ReasonRule, resolution: Resolution, given: Given): Need | null {
  const has: Readonly<Record<Need, boolean>> = {
    comment: given.comment !== null,
    attachment: given.attachments.length > 0,
    reference: given.reference !== null,
    follow_up: given.followUp !== null,
  };
  return [...needs, ...(ALWAYS[resolution] ?? [])].find((need) => !has[need]) ?? null;
}

/** Whether a second person has to approve it. What is too large for 64 bits is always so where the code has a limit. */
export function needsApproval({ approveAbove }: ReasonRule, value: bigint | null, currency: string | null): boolean {
  const limit = limitOf(approveAbove, currency ?? ANY_CURRENCY) ?? limitOf(approveAbove, ANY_CURRENCY);
  return limit !== undefined && (value === null || value > limit);
}

function limitOf(approveAbove: ReasonRule['approveAbove'], currency: string): bigint | undefined {
  return Object.hasOwn(approveAbove, currency) ? approveAbove[currency] : undefined;
}

/** A reference that stands at the start of a comment: `ref: CLM-7; text`. */
export function splitComment(comment: string | null): {
  readonly reference: string | null;
  readonly text: string | null;
} {
  const [, reference = '', rest = ''] = /^\s*ref:\s*([^;]*?)\s*(?:;([\s\S]*))?$/i.exec(comment ?? '') ?? [];
  if (reference === '') return { reference: null, text: comment };
  const text = rest.trim();
  return { reference, text: text === '' ? null : text };
}
