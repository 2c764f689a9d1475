import type { Draft } from './draft.ts';
import { contraOf } from './movements.ts';
import { postedBefore } from './posted-items.ts';

/**
 * Ends paid claims of accounts whose balance is not proven: no run holds them against their payment, which is entered among the
 * adjustments. Those of the other accounts end with their item.
 */
export function endPaidClaims(draft: Draft): void {
  const { builder, input } = draft;
  const closings = input.earlier?.closings ?? [];
  const posted = postedBefore(draft, (stated, of) => {
    if (stated !== undefined) return stated.balance === null;
    return !closings.some(({ account, currency }) => account === of.account && currency === of.currency);
  });
  for (const { id, account, currency, lines } of posted.values()) {
    if (!input.paid.has(id)) continue;
    const head = { date: input.period.to, source: 'resolution' as const, account, currency };
    for (const { account: name, role, minor, text, reference } of lines.values()) {
      if (role !== 'claims') continue;
      const words = { text: `Paid: ${text}`, reference, subject: id };
      builder.post(head, { role, name }, -minor, words);
      builder.post(head, { role: contraOf({ row: 'adjustments', reverses: null }) }, minor, words);
    }
  }
}
