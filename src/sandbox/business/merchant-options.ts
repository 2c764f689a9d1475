import { z } from 'zod';
import { defined, readControl } from '../wire/control-input.ts';
import { refuse, refuseControl } from '../wire/refusal.ts';
import { type Agreement, CURRENCIES, type Currency, PAYOUT_CURRENCIES } from '../world/records.ts';

export interface MerchantOptions {
  readonly name?: string;
  /** Test webhook URL; `liveWebhookUrl` for live events. */
  readonly webhookUrl?: string;
  readonly liveWebhookUrl?: string;
  /** Omitted fields take their value from DEFAULT_AGREEMENT, also within `payoutFees`. */
  readonly agreement?: Partial<Omit<Agreement, 'payoutFees'>> & {
    readonly payoutFees?: Partial<Agreement['payoutFees']>;
  };
  readonly encryption?: { readonly keyHex: string; readonly ivHex: string };
  /** Available balances at the start, in both environments. Default: OPENING_BALANCES. */
  readonly balances?: Partial<Record<Currency, string>>;
  /** The merchant's money at its bank at the start, in both environments. Default: none. */
  readonly bankBalances?: Partial<Record<Currency, string>>;
}

/** USD is small on purpose: a small refund is funded at once, a larger one waits for settlement. */
export const OPENING_BALANCES: Record<Currency, string> = {
  NGN: '1000000.00',
  KES: '1000000.00',
  GHS: '100000.00',
  USD: '10.00',
};

export const DEFAULT_AGREEMENT: Agreement = {
  collectionFee: { percent: '1.2', flat: '0.00' },
  refundFee: { percent: '0', flat: '0.50' },
  payoutFees: { NGN: '10.00', KES: '20.00', GHS: '1.00' },
};

/** An optional decimal text for each of the currencies. */
const texts = (currencies: readonly string[]) =>
  z.strictObject(Object.fromEntries(currencies.map((currency) => [currency, z.string().optional()]))).optional();
const fee = z.strictObject({ percent: z.string(), flat: z.string() });
const merchantSchema = z.strictObject({
  name: z.string().min(1).max(100).optional(),
  webhookUrl: z.string().optional(),
  liveWebhookUrl: z.string().optional(),
  agreement: z
    .strictObject({ collectionFee: fee.optional(), refundFee: fee.optional(), payoutFees: texts(PAYOUT_CURRENCIES) })
    .optional(),
  balances: texts(CURRENCIES),
  bankBalances: texts(CURRENCIES),
  encryption: z.strictObject({ keyHex: z.string(), ivHex: z.string() }).optional(),
});

/** Throws a `Refusal` for invalid options. With four decimals a percentage of an amount is still exact in `Money`. */
export function checkMerchant(options: MerchantOptions): void {
  const {
    agreement,
    balances = {},
    bankBalances = {},
    encryption,
    ...urls
  } = readControl(merchantSchema, options) as MerchantOptions;
  for (const url of [urls.webhookUrl, urls.liveWebhookUrl]) if (url !== undefined) checkWebhookUrl(url);
  const { collectionFee, refundFee, payoutFees = {} } = agreement ?? {};
  const fees = [collectionFee, refundFee].flatMap((one) => (one ? [one.percent, one.flat] : []));
  for (const text of [...fees, ...Object.values<string>(defined(payoutFees))]) {
    if (!/^\d{1,9}(\.\d{1,4})?$/.test(text))
      throw refuse(422, `The fee "${text}" is not a decimal with at most four decimals`);
  }
  const amounts = [balances, bankBalances].flatMap((some) => Object.entries<string>(defined(some)));
  for (const [currency, text] of amounts) {
    if (!/^\d{1,15}(\.\d{1,2})?$/.test(text))
      throw refuse(422, `The ${currency} balance "${text}" is not a decimal with at most two decimals`);
  }
  if (encryption && !(/^[0-9a-f]{64}$/i.test(encryption.keyHex) && /^[0-9a-f]{32}$/i.test(encryption.ivHex))) {
    throw refuse(422, 'Payload encryption needs keyHex of 64 and ivHex of 32 hexadecimal digits');
  }
}

/** Throws 422 unless the URL is an http or https address. */
export function checkWebhookUrl(url: string): void {
  if (/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return;
  throw refuseControl(
    422,
    `"${url}" is not a webhook URL`,
    'Write a full http:// or https:// address; for nowhere: none in the terminal, null in JSON and in code.',
  );
}
