import { required } from '../wire/fields.ts';
import type { FieldErrors, Refusal } from '../wire/refusal.ts';
import type { Currency, Scope } from '../world/records.ts';

/**
 * The wallet of a `/wallet` request, for payouts and collections alike; null, the balance, for a merchant without a
 * wallet in this currency (decision 57). Throws what `refuse` makes of a missing or unknown code.
 */
export function namedWallet(
  { merchant, environment }: Scope,
  { walletCode, currency }: { readonly walletCode: string | null; readonly currency: Currency },
  refuse: (errors: FieldErrors) => Refusal,
): string | null {
  const wallets = merchant.wallets[environment];
  if (!Object.values(wallets).includes(currency)) return null;
  if (walletCode === null || walletCode === '') throw refuse({ wallet_code: [required('wallet_code')] });
  if (wallets[walletCode] === currency) return walletCode;
  throw refuse({ wallet_code: [`No ${currency} wallet has this code.`] });
}
