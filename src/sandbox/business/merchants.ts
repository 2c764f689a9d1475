import { defined, merchantSchema, readControl } from '../controls/input.ts';
import { money } from '../wire/money.ts';
import { drawHex } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { post } from './ledger.ts';
import {
  type Agreement,
  CURRENCIES,
  type Currency,
  ENVIRONMENTS,
  type Environment,
  type KeyPair,
  type Merchant,
  type Scope,
} from './records.ts';
import { refuse, refuseControl } from './refusal.ts';

export interface MerchantOptions {
  readonly name?: string;
  /** Test webhook URL; `liveWebhookUrl` for live events. */
  readonly webhookUrl?: string;
  readonly liveWebhookUrl?: string;
  /** What is left out is as in DEFAULT_AGREEMENT, also within `payoutFees`. */
  readonly agreement?: Partial<Omit<Agreement, 'payoutFees'>> & {
    readonly payoutFees?: Partial<Agreement['payoutFees']>;
  };
  readonly encryption?: { readonly keyHex: string; readonly ivHex: string };
  /** Available at the start, in both environments. Default: OPENING_BALANCES. */
  readonly balances?: Partial<Record<Currency, string>>;
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

/** Adds a merchant with two key pairs per environment: one in use, one retired. Throws for an impossible agreement. */
export function addMerchant(world: World, options: MerchantOptions = {}): Merchant {
  checkOptions(readControl(merchantSchema, options) as MerchantOptions);
  const id = `m${world.state.merchants.length + 1}`;
  const pairs = (environment: Environment) => ({
    current: issuePair(world.state.seed, id, environment, 1),
    retired: issuePair(world.state.seed, id, environment, 0),
  });
  const merchant: Merchant = {
    id,
    name: options.name ?? (id === 'm1' ? 'Demo Store' : `Demo Store ${id.slice(1)}`),
    keys: { test: pairs('test'), live: pairs('live') },
    webhookUrls: { test: options.webhookUrl ?? null, live: options.liveWebhookUrl ?? null },
    agreement: {
      ...DEFAULT_AGREEMENT,
      ...defined(options.agreement ?? {}),
      payoutFees: { ...DEFAULT_AGREEMENT.payoutFees, ...defined(options.agreement?.payoutFees ?? {}) },
    },
    encryption: options.encryption ?? null,
    wallets: { test: {}, live: {} },
  };
  world.state.merchants.push(merchant);
  for (const environment of ENVIRONMENTS) {
    for (const currency of CURRENCIES) {
      const amount = money(options.balances?.[currency] ?? OPENING_BALANCES[currency]);
      const holder = { merchantId: id, environment, currency };
      post(world, holder, { from: 'operator', to: 'available', amount, reason: 'opening balance', reference: id });
    }
  }
  return merchant;
}

/** Four decimals are what an amount's fee can hold exactly; a payload key has the length of its cipher. */
function checkOptions({
  agreement = {},
  balances = {},
  encryption,
  webhookUrl,
  liveWebhookUrl,
}: MerchantOptions): void {
  for (const url of [webhookUrl, liveWebhookUrl]) if (url !== undefined) checkWebhookUrl(url);
  const { collectionFee, refundFee, payoutFees } = agreement;
  const fees = [collectionFee, refundFee].flatMap((fee) => (fee ? [fee.percent, fee.flat] : []));
  for (const text of [...fees, ...Object.values<string>(defined(payoutFees ?? {}))]) {
    if (!/^\d{1,9}(\.\d{1,4})?$/.test(text))
      throw refuse(422, `The fee "${text}" is not a decimal with at most four decimals`);
  }
  for (const [currency, text] of Object.entries(defined(balances))) {
    if (!/^\d{1,15}(\.\d{1,2})?$/.test(text))
      throw refuse(422, `The ${currency} balance "${text}" is not a decimal with at most two decimals`);
  }
  if (encryption && !(/^[0-9a-f]{64}$/i.test(encryption.keyHex) && /^[0-9a-f]{32}$/i.test(encryption.ivHex))) {
    throw refuse(422, 'Payload encryption needs keyHex of 64 and ivHex of 32 hexadecimal digits');
  }
}

/** Webhooks go over http or https only. */
export function checkWebhookUrl(url: string): void {
  if (/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return;
  throw refuseControl(
    422,
    `"${url}" is not a webhook URL`,
    'Write a full http:// or https:// address; for nowhere: none in the terminal, null in JSON and in code.',
  );
}

/** Replaces the pair in use; the old one can no longer call, and only chaos still signs with it. */
export function rotateKeys(world: World, merchant: Merchant, environment: Environment): KeyPair {
  const keys = merchant.keys[environment];
  keys.retired = keys.current;
  keys.current = issuePair(world.state.seed, merchant.id, environment, `r${world.nextId('key')}`);
  return keys.current;
}

/** Whose secret key this is. 401 for an unknown one, 403 for a key of the wrong kind (decision 84). */
export function authenticate(world: World, authorization: string | undefined): Scope {
  const key = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (key) {
    for (const merchant of world.state.merchants) {
      for (const environment of ENVIRONMENTS) {
        const { current } = merchant.keys[environment];
        if (current.secretKey === key) return { merchant, environment };
        if (current.publicKey === key) throw refuse(403, 'A secret key is required for this endpoint');
      }
    }
  }
  throw refuse(401, 'Invalid API key');
}

/** Whose public key this is; undefined for an unknown one. */
export function ownerOfPublicKey(world: World, key: string): Scope | undefined {
  for (const merchant of world.state.merchants) {
    for (const environment of ENVIRONMENTS) {
      if (merchant.keys[environment].current.publicKey === key) return { merchant, environment };
    }
  }
  return undefined;
}

export function scopeOf(world: World, record: { merchantId: string; environment: Environment }): Scope {
  const merchant = world.state.merchants.find(({ id }) => id === record.merchantId);
  if (!merchant) throw new Error(`no merchant ${record.merchantId}`);
  return { merchant, environment: record.environment };
}

function issuePair(seed: number, merchantId: string, environment: Environment, generation: number | string): KeyPair {
  const digits = (kind: string) => drawHex(seed, 32, 'key', merchantId, environment, kind, generation);
  return { publicKey: `pk_${environment}_${digits('public')}`, secretKey: `sk_${environment}_${digits('secret')}` };
}
