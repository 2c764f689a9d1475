import { ENVIRONMENTS, type Environment } from '../environment.ts';

/** Shortest secret, in characters: an HMAC under an empty or guessable secret proves nothing. */
export const SHORTEST_SECRET_LENGTH = 16;

/** Returns the rule that a secret key of `environment` breaks, or null (interface 5, rule 1). Never quotes the key. */
export function secretKeyProblem(text: string, environment: Environment): string | null {
  const misplaced = misplacedKey(text, 'sk', environment);
  if (misplaced !== null) return misplaced;
  if (!text.startsWith(`sk_${environment}_`)) return `must start with sk_${environment}_`;
  if (text.length < SHORTEST_SECRET_LENGTH) return `must have at least ${SHORTEST_SECRET_LENGTH} characters`;
  return unprintable(text);
}

/** Returns the rule that a public key of `environment` breaks, or null (interface 5, rule 1; decision 96). */
export function publicKeyProblem(text: string, environment: Environment): string | null {
  const misplaced = misplacedKey(text, 'pk', environment);
  if (misplaced !== null) return misplaced;
  if (!text.startsWith('pk_')) return `must start with pk_ (pk_${environment}_…)`;
  if (text.length <= `pk_${environment}_`.length) return 'is only a prefix: the rest of the key is missing';
  return unprintable(text);
}

function misplacedKey(text: string, kind: 'sk' | 'pk', environment: Environment): string | null {
  const otherKind = kind === 'sk' ? 'pk' : 'sk';
  if (text.startsWith(`${otherKind}_`)) {
    return kind === 'sk'
      ? 'is a public key where the secret key belongs: are the two swapped?'
      : 'is a secret key where the public key belongs: are the two swapped?';
  }
  const other = ENVIRONMENTS.find((candidate) => candidate !== environment && text.startsWith(`${kind}_${candidate}_`));
  return other === undefined ? null : `is a ${other} key under ${environment}`;
}

function unprintable(text: string): string | null {
  return /^[\x21-\x7e]+$/.test(text) ? null : 'must not contain spaces, line breaks or other than ASCII characters';
}
