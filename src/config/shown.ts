import { SHORTEST_SECRET_LENGTH } from '../domain/secrets/key-text.ts';
import { Secret } from '../domain/secrets/secret.ts';
import { didYouMean } from './did-you-mean.ts';

// What a message may show of a configuration. A secret may stand anywhere by mistake: under another setting, in a URL, as
// a name. Text that is long enough to be one is therefore not quoted, except where its form shows that it is none.

const KEY = /[sp]k_(test|live)_/;
const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;
/** A cron expression or a time. */
const NO_SECRET = /^(?=.*[-:*/ ])[\dTZ:.,*/+ -]{1,40}$/;
/** Names of environment variables are in capitals, with underscores when they are long. */
const VARIABLE_NAME = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/;
const SHORT_NAME = /^[A-Za-z_][\w-]*$/;
const PATH_START = /^(\/|\.\.?\/|~)/;
const EXTENSION = /\.[a-z]{1,5}$/;

/**
 * Returns a value as a message may show it. The value of a secret setting, and any text that looks like a key, becomes
 * prefix and length; a list or map is named, not quoted; of a URL only scheme and host are shown.
 */
export function valueSeen(value: unknown, { secret }: { secret: boolean }): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return value instanceof Secret ? value.toString() : 'a map';
  const text = String(value);
  if (secret || KEY.test(text)) return new Secret(text).toString();
  if (URL_START.test(text)) return JSON.stringify(urlSeen(text));
  if (!isShort(text) && !NO_SECRET.test(text)) return `a text of ${text.length} characters`;
  return typeof value === 'string' ? JSON.stringify(text) : text;
}

/** Returns the name of a setting, known or not: a secret may stand where a name belongs. */
export function nameSeen(name: string, known: readonly string[]): string {
  if (known.includes(name)) return name;
  const isHarmless = isShort(name) ? SHORT_NAME.test(name) : didYouMean(name, known) !== undefined;
  return isHarmless && !KEY.test(name) ? name : `(a name of ${name.length} characters)`;
}

/** Returns the name of a variable that a configuration names, unless it may be the secret itself, written into `${…}` by mistake. */
export function variableSeen(name: string): string {
  const isHarmless = (isShort(name) || VARIABLE_NAME.test(name)) && !KEY.test(name);
  return isHarmless ? name : `with a name of ${name.length} characters`;
}

/** Returns the path of a secret file as written, unless it may be the secret itself, written there by mistake. */
export function pathSeen(path: string): string {
  const isHarmless = (isShort(path) || PATH_START.test(path) || EXTENSION.test(path)) && !KEY.test(path);
  return isHarmless ? path : `with a name of ${path.length} characters`;
}

/** No secret that Tallyhook takes is so short. */
function isShort(text: string): boolean {
  return text.length < SHORTEST_SECRET_LENGTH;
}

/** User name, password, path, query and fragment may hold secrets. */
function urlSeen(text: string): string {
  const url = URL.parse(text);
  const parts = text.split('@');
  const hasLogin = url !== null && (url.username !== '' || url.password !== '');
  // A password with a slash in it makes the rest of it look like a path.
  if (url === null || parts.length > (hasLogin ? 2 : 1)) return `${text.split('://')[0]}://…`;
  const path = url.pathname.length > 1 ? '/…' : '';
  const login = hasLogin ? '***@' : '';
  return `${url.protocol}//${login}${url.host}${path}${url.search && '?…'}${url.hash && '#…'}`;
}
