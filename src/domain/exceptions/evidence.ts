import { sha256 } from '../events/json.ts';
import { candidateName } from '../matching/candidate.ts';
import { magnitude, parseAmount, toMinorOrNull } from '../money/amount.ts';

/** What a resolution rests on. */
export interface Evidence {
  readonly ours: string | null;
  readonly theirs: string | null;
  readonly variance: string | null;
  readonly effect: string;
  readonly currency: string | null;
  readonly line: { readonly fingerprint: string } | null;
  readonly candidates: readonly string[];
}

/**
 * The digest of the evidence: while it stays the same, what was resolved is still what it is about. It leaves out rows, also of candidates, ages,
 * events and answers, which change with every look.
 */
export function evidenceDigest({ ours, theirs, variance, effect, currency, line, candidates }: Evidence): string {
  const names = [...new Set(candidates.map(candidateName))].sort();
  return sha256(JSON.stringify([ours, theirs, variance, effect, currency, line?.fingerprint ?? null, names]));
}

/** What an exception is worth, in minor units: its variance, else its effect, without the sign. Null: it needs more than 64 bits. */
export function worthOf({ variance, effect }: Pick<Evidence, 'variance' | 'effect'>): bigint | null {
  const minor = toMinorOrNull(parseAmount(variance ?? effect));
  return minor === null ? null : magnitude(minor);
}
