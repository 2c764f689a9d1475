/**
 * Returns the rule that a secret chosen by an operator breaks, or null. Length alone is no strength: 32 equal letters are
 * one guess. A random secret of the least length, even of hexadecimal digits, breaks these rules once in ten million.
 */
export function weakness(secret: string, leastLength: number): string | null {
  if (secret.length < leastLength) return `must be text of at least ${leastLength} characters`;
  const leastVariety = leastLength / 4;
  if (new Set(secret).size < leastVariety) {
    return `must have at least ${leastVariety} different characters; openssl rand -hex 32 makes a good one`;
  }
  // A text that is a shorter one repeated is found inside itself twice, without its first and last character.
  const isRepetition = (secret + secret).indexOf(secret, 1) < secret.length;
  return isRepetition ? 'must not be a shorter text repeated; openssl rand -hex 32 makes a good one' : null;
}
