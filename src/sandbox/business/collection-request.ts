import { z } from 'zod';
import {
  amountText,
  emailText,
  oneOf,
  optionalText,
  PHONE,
  readFields,
  referenceText,
  requiredText,
} from '../wire/fields.ts';
import { type FieldErrors, refuseCollection } from '../wire/refusal.ts';
import type { Money } from '../world/money.ts';
import type { Channel, Collection, Currency, Scope } from '../world/records.ts';
import type { Settings } from '../world/settings.ts';
import { type CardOutcome, cardOutcome, declineOf, openCard } from './cards.ts';

export const FORCED_STATUSES = ['success', 'failed', 'pending'] as const;
export type ForcedStatus = (typeof FORCED_STATUSES)[number];

/** A collection request that passed validation. */
export interface CollectionRequest {
  readonly channel: Channel;
  readonly version: 'v1' | 'legacy';
  readonly reference: string;
  readonly amount: Money;
  readonly currency: Currency;
  readonly email: string | null;
  readonly name: string | null;
  readonly phone: string | null;
  /** Whether the path was a wallet variant; only then does `walletCode` count. */
  readonly toWallet: boolean;
  readonly walletCode: string | null;
  /** Undefined when omitted, and always with a live key (rules 4.1.3 and 4.1.5). */
  readonly forced: ForcedStatus | undefined;
  readonly card: { readonly outcome: CardOutcome; readonly decline: string; readonly last4: string } | null;
}

/** An unvalidated collection request, with what its path says. */
type Posted = Pick<CollectionRequest, 'channel' | 'version' | 'toWallet'> & { readonly body: unknown };

/** The request of a channel (interface 2.1, decision 51). Throws a 400 that names every wrong field. */
export function readCollectionRequest(scope: Scope, settings: Settings, posted: Posted): CollectionRequest {
  const { channel, version, toWallet, body } = posted;
  const { fields, errors } = readFields(channelSchema(channel, scope, settings), body);
  const hasCard = channel === 'card' && !errors?.card && !errors?.reference;
  const card = hasCard ? readCard(scope, settings, posted) : null;
  if (errors || card?.errors) throw refuseCollection({ ...card?.errors, ...errors });
  const { amount, currency, reference } = fields;
  return {
    channel,
    version,
    reference,
    amount,
    currency: currency as Currency,
    email: fields.email ?? null,
    name: fields.name,
    phone: fields.phone ?? null,
    toWallet,
    walletCode: fields.wallet_code,
    forced: scope.environment === 'test' ? (fields.status as ForcedStatus | undefined) : undefined,
    card: card?.read ?? null,
  };
}

const schemas = new WeakMap<Settings, Map<string, ReturnType<typeof buildSchema>>>();

/** The schema of a channel. Building one takes longer than using it, so each is built once per settings and environment. */
function channelSchema(channel: Channel, scope: Scope, settings: Settings) {
  const known = schemas.get(settings) ?? new Map<string, ReturnType<typeof buildSchema>>();
  schemas.set(settings, known);
  const name = `${channel}/${scope.environment}`;
  const schema = known.get(name) ?? buildSchema(channel, scope, settings);
  known.set(name, schema);
  return schema;
}

function buildSchema(channel: Channel, scope: Scope, settings: Settings) {
  const common = {
    amount: amountText(settings.strictAmounts),
    reference: referenceText(),
    status: statusField(scope, settings),
    wallet_code: optionalText('wallet_code'),
    name: optionalText('name'),
    description: optionalText('description', 2000),
  };
  const extra: Record<string, z.ZodType<string | null | undefined>> = {};
  if (channel === 'momo') {
    extra.phone = requiredText('phone').regex(PHONE, 'The phone must be a phone number.');
    extra.bankName = requiredText('bankName');
    extra.email = optionalText('email');
  } else {
    extra.email = emailText();
    extra.phone = optionalText('phone');
  }
  if (channel === 'ussd') extra.bankCode = requiredText('bankCode');
  if (channel === 'card') extra.card = requiredText('card', 10_000);
  const schema = z.object({ ...common, ...extra, currency: oneOf('currency', CHANNEL_CURRENCIES[channel]) });
  return schema as unknown as z.ZodType<{
    amount: Money;
    currency: string;
    reference: string;
    status: string | undefined;
    wallet_code: string | null;
    name: string | null;
    email?: string | null;
    phone?: string | null;
    card?: string;
  }>;
}

/** Bank transfer and USSD exist for NGN only (interface 4.2, 8); only cards in USD can be refunded. */
export const CHANNEL_CURRENCIES = {
  card: ['NGN', 'USD', 'KES', 'GHS'],
  bank_transfer: ['NGN'],
  ussd: ['NGN'],
  momo: ['KES', 'GHS'],
} as const satisfies Record<Channel, readonly [Currency, ...Currency[]]>;

/** The forced status; "" and null count as omitted, any other value must be one of the three (decisions 49 and 50). */
function statusField({ environment }: Scope, settings: Settings) {
  return z
    .unknown()
    .optional()
    .transform((value, context) => {
      if (value === undefined || value === null || value === '') return undefined;
      if ((FORCED_STATUSES as readonly unknown[]).includes(value)) return value as ForcedStatus;
      if (environment === 'live' && settings.invalidLiveStatus === 'ignore') return undefined;
      context.addIssue({ code: 'custom', message: 'The selected status is invalid.' });
      return z.NEVER;
    });
}

/**
 * The decrypted card, or its errors, which are reported with those of the other fields. A forced status does not skip
 * this check (interface 4.2). S2S refuses recurring cards (4.1.6). Needs a valid `card` and `reference` field.
 */
function readCard(
  scope: Scope,
  settings: Settings,
  { version, body }: Posted,
): { readonly read: CollectionRequest['card']; readonly errors: FieldErrors | null } {
  const { reference, card: payload } = body as { reference: string; card: string };
  const card = openCard(scope.merchant, reference, payload);
  if (!card) return refusedCard('The card payload is invalid, or it was not made with this reference.');
  if (card.version !== version && settings.versionMixing === 'refuse') {
    return { read: null, errors: mixErrors(card.version, version) };
  }
  const outcome = cardOutcome(settings, card.number);
  if (outcome === 'recurring') {
    return refusedCard('Recurring-payment cards must use the hosted checkout, not this endpoint.');
  }
  return { read: { outcome, decline: declineOf(settings, card.number), last4: card.number.slice(-4) }, errors: null };
}

const refusedCard = (message: string) => ({ read: null, errors: { card: [message] } });

/** The error for a payment that uses both legacy and v1 endpoints (interface 4.2, decision 59). */
export function mixErrors(first: Collection['version'], second: Collection['version']): FieldErrors {
  const began = `it began with ${first}, this is ${second}`;
  return { reference: [`Legacy and v1 endpoints must not be mixed within one payment: ${began}.`] };
}
