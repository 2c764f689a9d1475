const LONGEST_MESSAGE = 500;
const SECRET_KEY = /\bsk_(?:test|live)_\S+/g;
/** Card numbers: 13 to 19 digits, also in groups separated by single spaces or dashes. */
const CARD_NUMBER = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;
const LONG_HEX = /\b[0-9a-fA-F]{64,}\b/g;

/** Returns the text with everything that looks like a card number replaced. */
export function withoutCards(text: string): string {
  return text.replace(CARD_NUMBER, '•••');
}

/**
 * Returns a text of the service in a form that errors and logs may show: the `sensitive` texts and everything that looks
 * like a secret key, a card number or an encrypted payload are replaced; at most 500 characters of well-formed Unicode.
 */
export function scrub(text: string, sensitive: readonly string[]): string {
  // Cut before the replacements, with room for them: a text of 1 MB must not cost time.
  let clean = text.slice(0, 4 * LONGEST_MESSAGE).toWellFormed();
  for (const secret of sensitive) {
    if (secret.length >= 5) clean = clean.replaceAll(secret, '•••');
    // Three digits occur everywhere: a security code is replaced only where it stands alone.
    else if (/^\d+$/.test(secret)) clean = clean.replaceAll(new RegExp(`(?<![\\w-])${secret}(?![\\w-])`, 'g'), '•••');
  }
  clean = withoutCards(clean.replace(SECRET_KEY, '•••')).replace(LONG_HEX, '•••');
  return clean.length > LONGEST_MESSAGE ? `${clean.slice(0, LONGEST_MESSAGE).toWellFormed()}…` : clean;
}
