import type { RefusalReader } from '../calls/caller.ts';
import { fundsRefusal } from '../calls/funds.ts';
import { DuplicateReferenceError, InvalidFieldsError } from '../errors/field-errors.ts';
import type { RefusalFacts } from '../errors/service-error.ts';

/** Returns the reader for refusals of a payout under this reference. */
export function payoutRefusal(reference: string): RefusalReader {
  return (facts, envelope) => {
    if (isDuplicate(facts)) return new DuplicateReferenceError(facts, reference);
    const funds = fundsRefusal(facts, envelope);
    if (funds !== null) return funds;
    return Object.keys(facts.fields).length > 0 ? new InvalidFieldsError(facts) : null;
  };
}

/** Whether a refusal means a reused reference. The document shows no error of the payout endpoints (7.4): status, words and fields decide. */
export function isDuplicate({ httpStatus, message, fields }: RefusalFacts): boolean {
  const words = `${message} ${Object.values(fields).flat().join(' ')}`;
  const used = /\balready\b|duplicate|(?<!\bnot )\bexists?\b|\bunique\b|\bbeen (used|taken)\b|\bin use\b/i.test(words);
  return httpStatus === 409 || (used && (/reference/i.test(words) || Object.hasOwn(fields, 'reference')));
}
