/*
 * The last line of defence: text that goes to a log. No secret should come this far, because a Secret prints itself as its length; an error of a
 * library, or a value in the wrong place, might hold one as text.
 */

/** Keys of the service, and signing secrets of targets, by how they begin. */
const SECRETS = /\b([sp]k_(?:test|live)_|whsec_)[A-Za-z0-9_+/=-]{6,}/g;
/** User name and password in an address. */
const LOGIN = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/"'@\\]{1,256}@/gi;
/** Addresses of people; bounded, or a megabyte of letters would take quadratic time. */
const EMAIL = /([\p{L}\p{N}])[\p{L}\p{N}._%+-]{0,63}@([\p{L}\p{N}.-]{1,253}\.\p{L}{2,63})/gu;

/** The text with what looks like a secret, a log-in in an address or an e-mail address cut to its beginning. */
export function withoutSecrets(text: string): string {
  const safe = text.includes('k_') || text.includes('whsec_') ? text.replace(SECRETS, '$1…') : text;
  return safe.includes('@') ? safe.replace(LOGIN, '$1…@').replace(EMAIL, '$1•••@$2') : safe;
}
