const LONGEST_MESSAGE = 500;
const SECRET_KEY = /\bsk_(?:test|live)_\S+/g;
/** Card numbers as people and services write them: 13 to 19 digits, also in groups. */
const CARD_NUMBER = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;
const LONG_HEX = /\b[0-9a-fA-F]{64,}\b/g;

/** The text without whatever looks like a card number. */
export function withoutCards(text: string): string {
  return text.replace(CARD_NUMBER, '•••');
}

/**
 * A text of the service, made fit for errors and logs: whatever of the request must stay secret is taken out, with
 * everything that looks like a secret key, a card number or an encrypted payload; bounded, and well-formed Unicode.
 */
export function scrub(text: string, sensitive: readonly string[]): string {
  // Cut first, with room for what is taken out, so that a megabyte costs nothing.
  let clean = text.slice(0, 4 * LONGEST_MESSAGE).toWellFormed();
  for (const secret of sensitive) {
    if (secret.length >= 5) clean = clean.replaceAll(secret, '•••');
    // Three digits occur everywhere: only a security code that stands alone is taken out.
    else if (/^\d+$/.test(secret)) clean = clean.replaceAll(new RegExp(`(?<![\\w-])${secret}(?![\\w-])`, 'g'), '•••');
  }
  clean = withoutCards(clean.replace(SECRET_KEY, '•••')).replace(LONG_HEX, '•••');
  return clean.length > LONGEST_MESSAGE ? `${clean.slice(0, LONGEST_MESSAGE).toWellFormed()}…` : clean;
}
