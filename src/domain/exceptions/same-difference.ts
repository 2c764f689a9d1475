/*
 * A settlement statement says again what the wallet shows: a fee that is too high stands in both, so two exceptions are about one
 * amount. That of the settlement account follows that of the wallet, whose balance has the money.
 */

/** What an exception says of another one that is about the same amount. */
export interface Repeating {
  readonly nextStep: string;
  /** The id of that of the wallet; null: it is about an amount of its own. */
  readonly sameAs: string | null;
}

/** The next step as a sentence; of one that follows another, also which one that is. */
export function wholeNextStep({ nextStep, sameAs }: Repeating): string {
  if (sameAs === null) return nextStep;
  return `${nextStep} It is the same difference as ${sameAs} of the wallet: resolve both alike; a claim counts there alone.`;
}
