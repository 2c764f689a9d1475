import type { Draft } from './draft.ts';
import type { StatedAccount } from './input.ts';

/** What the period before left open of the clearing accounts: brought back on the first day. */
export function bringForward({ input, builder }: Draft): void {
  for (const { source, account, currency, lines } of input.earlier?.last ?? []) {
    if (source !== 'carried') continue;
    const head = { date: input.period.from, source: 'brought_forward' as const, account, currency };
    for (const { account: name, role, minor, text, reference, subject } of lines) {
      builder.post(head, { role, name }, -minor, { text: broughtText(text), reference, subject });
    }
  }
}

/** The difference of an account that the period before carried: closing by the statement, less closing by us. */
export function carriedEffectOf({ input, partOf }: Draft, stated: StatedAccount): bigint {
  let effect = 0n;
  for (const { source, account, currency, lines } of input.earlier?.last ?? []) {
    if (source !== 'carried' || account !== stated.account || currency !== stated.currency) continue;
    for (const { role, minor, subject } of lines) {
      if (role === 'carried' && subject !== ON_THE_WAY) effect -= minor;
    }
  }
  return partOf(stated) === 'books' ? -effect : effect;
}

/** The subject of money between two accounts of the merchant. */
export const ON_THE_WAY = 'on the way';

const BROUGHT = 'Brought forward: ';

function broughtText(text: string): string {
  return text.startsWith(BROUGHT) ? text : `${BROUGHT}${text}`;
}
