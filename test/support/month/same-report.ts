import { candidateName } from '../../../src/domain/matching/candidate.ts';

/* What two reports of one month must have in common: all of it but where a line stands, when it was asked, and digests. */

const NOT_COMPARED = /^(line|asAt|judgedAt|statement|row|digest|.*Digest)$/;

/** A report's text without what may differ; otherwise byte for byte. */
export function comparable(text: string): string {
  return JSON.stringify(JSON.parse(text), compared, 1);
}

function compared(name: string, value: unknown): unknown {
  if (NOT_COMPARED.test(name)) return undefined;
  return name === 'candidates' ? (value as string[]).map(candidateName) : value;
}
