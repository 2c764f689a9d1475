import { defined } from '../wire/control-input.ts';
import { refuse } from '../wire/refusal.ts';
import { money } from '../world/money.ts';
import {
  CURRENCIES,
  ENVIRONMENTS,
  type Environment,
  type KeyPair,
  type Merchant,
  type Scope,
} from '../world/records.ts';
import type { World } from '../world/world.ts';
import { post } from './ledger.ts';
import { checkMerchant, DEFAULT_AGREEMENT, type MerchantOptions, OPENING_BALANCES } from './merchant-options.ts';

/** A new merchant, with a current and a retired key pair per environment. Throws for invalid options. */
export function addMerchant(world: World, options: MerchantOptions = {}): Merchant {
  checkMerchant(options);
  const id = `m${world.state.merchants.length + 1}`;
  const pairs = (environment: Environment) => ({
    current: issuePair(world, id, environment, 1),
    retired: issuePair(world, id, environment, 0),
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
      const opening = { from: 'operator', type: 'adjustment', reason: 'opening balance', reference: id } as const;
      post(world, holder, { ...opening, to: 'available', amount });
      post(world, holder, { ...opening, to: 'bank', amount: money(options.bankBalances?.[currency] ?? '0') });
    }
  }
  return merchant;
}

/** A new current key pair. The old one cannot call any more; only the chaos rule `wrong_key` signs with it. */
export function rotateKeys(world: World, merchant: Merchant, environment: Environment): KeyPair {
  const keys = merchant.keys[environment];
  keys.retired = keys.current;
  keys.current = issuePair(world, merchant.id, environment, `r${world.nextId('key')}`);
  return keys.current;
}

/** The merchant and environment of a secret key. Throws 401 for an unknown key, 403 for a public key (decision 84). */
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

/** The merchant and environment of a public key; undefined for an unknown key. */
export function ownerOfPublicKey(world: World, key: string): Scope | undefined {
  for (const merchant of world.state.merchants) {
    for (const environment of ENVIRONMENTS) {
      if (merchant.keys[environment].current.publicKey === key) return { merchant, environment };
    }
  }
  return undefined;
}

function issuePair(world: World, merchantId: string, environment: Environment, generation: number | string): KeyPair {
  const digits = (kind: string) => world.drawHex(32, 'key', merchantId, environment, kind, generation);
  return { publicKey: `pk_${environment}_${digits('public')}`, secretKey: `sk_${environment}_${digits('secret')}` };
}
