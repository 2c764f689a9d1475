import { type Amount, parseAmount } from '../../domain/money/amount.ts';
import type { RecordKind } from '../../domain/records/lifecycle.ts';

/*
 * An amount as a person types or copies it: `40`, `−40.54`, `NGN 12,154.80`, `40usd`, `the refund of 40 dollars never came`. Where a
 * text could mean two amounts it means none.
 */

export interface TypedAmount {
  /** Without its sign. */
  readonly amount: Amount;
  /** Missing: of any currency, or of one of `currencies`. */
  readonly currency?: string;
  /** Those of one name, as of `$` and `dollars`, which several countries have. */
  readonly currencies?: readonly string[];
  /** Missing: of any kind. */
  readonly kind?: RecordKind;
}

/** Two decimals at most; commas group by three, or one stands before the decimals: `12,154.80`, `40,50`. */
const NUMBER = String.raw`\d{1,15}(?:[.,]\d{1,2})?|\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,2})?`;
const SIGN = '[-+]?';
const TOKEN = new RegExp(
  `^${SIGN}(?:(?<before>[a-z]{3})|(?<symbol>[$€£₦₵]))?${SIGN}(?<number>${NUMBER})(?:(?<after>[a-z]{3})|(?<behind>[$€£₦₵]))?$`,
  'i',
);
const GROUPS = /,(?=\d{3})/g;
const NOUN = /^(?:dollar|euro|pound|naira|cedi|shilling)(?=s?$)/i;
const SYMBOLS: Readonly<Record<string, string>> = { $: 'dollar', '€': 'euro', '£': 'pound', '₦': 'naira', '₵': 'cedi' };
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const NAMES = new Intl.DisplayNames('en', { type: 'currency' });
const KINDS: Readonly<Record<string, RecordKind>> = {
  ...{ refund: 'refund', refunds: 'refund', payout: 'payout', payouts: 'payout' },
  ...{ collection: 'collection', collections: 'collection', payment: 'collection', payments: 'collection' },
};

interface Found {
  readonly amount: Amount;
  /** Any of these; missing: no currency stands beside it. */
  readonly currencies: readonly string[] | undefined;
}

/** What a text asks for; null: it is no amount, or may be more than one. A bare number is one only when nothing but a kind stands beside it. */
export function typedAmount(text: string): TypedAmount | null {
  const words = text
    .replaceAll('\u2212', '-')
    .split(/\s+/)
    .map((word) => word.replace(/[.,;:!?]+$/, ''))
    .filter((word) => word !== '' && word !== '-');
  const all = words.flatMap((_, at) => foundAt(words, at) ?? []);
  const ofMoney = all.filter(({ currencies }) => currencies !== undefined);
  const [only, ...others] = ofMoney.length > 0 ? ofMoney : all;
  const kinds = new Set(words.flatMap((word) => KINDS[word.toLowerCase()] ?? []));
  if (only === undefined || others.length > 0 || kinds.size > 1) return null;
  const [kind] = kinds;
  const { amount, currencies } = only;
  if (currencies === undefined && kind === undefined && words.length > 1) return null;
  return {
    amount,
    ...(currencies !== undefined && (currencies.length === 1 ? { currency: currencies[0] ?? '' } : { currencies })),
    ...(kind !== undefined && { kind }),
  };
}

/** The number that is this word, with the currency in it or beside it. */
function foundAt(words: readonly string[], at: number): Found | null {
  const { number, before, after, symbol, behind } = TOKEN.exec(words[at] ?? '')?.groups ?? {};
  if (number === undefined) return null;
  // Other letters at a number are those of a reference: `REF40`.
  const glued = [before, after].filter((letters) => letters !== undefined);
  if (glued.some((letters) => codeOf(letters) === undefined)) return null;
  const near = [...glued, words[at - 1] ?? '', words[at + 1] ?? ''];
  const code = near.map(codeOf).find((one) => one !== undefined);
  const noun = [symbol ?? behind ?? '', ...near].map(nounOf).find((one) => one !== undefined);
  const currencies = code !== undefined ? [code] : noun === undefined ? undefined : currenciesOf(noun);
  return { amount: parseAmount(number.replace(GROUPS, '').replace(',', '.')), currencies };
}

function nounOf(word: string): string | undefined {
  return SYMBOLS[word] ?? NOUN.exec(word)?.[0].toLowerCase();
}

/** `dollar`: USD, and what else has that name today. */
function currenciesOf(noun: string): string[] {
  return [...CODES].filter((code) => NAMES.of(code)?.toLowerCase().split(' ').at(-1) === noun);
}

function codeOf(word: string): string | undefined {
  const code = word.toUpperCase();
  return CODES.has(code) ? code : undefined;
}
