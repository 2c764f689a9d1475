import { CLEARING_ACCOUNTS, type JournalRole } from '../../domain/journal/words.ts';
import type { Draft } from './draft.ts';
import type { ExplainedItem, StatedAccount } from './input.ts';
import { postedBefore } from './posted-items.ts';

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

/**
 * The difference of an account without a balance that the period before carried and that is open no more: closing by the statement,
 * less closing by us. The movements of this period have it again.
 */
export function endedEffectOf(draft: Draft, stated: StatedAccount): bigint {
  return carriedEffectOf(draft, stated) - openEffectOf(draft, stated);
}

function carriedEffectOf({ input, partOf }: Draft, stated: StatedAccount): bigint {
  let effect = 0n;
  for (const { source, account, currency, lines } of input.earlier?.last ?? []) {
    if (source !== 'carried' || account !== stated.account || currency !== stated.currency) continue;
    for (const { role, minor, subject } of lines) {
      if (role === 'carried' && subject !== ON_THE_WAY) effect -= minor;
    }
  }
  return partOf(stated) === 'books' ? -effect : effect;
}

/** Of what is open from before, beyond what earlier periods have posted of it. */
function openEffectOf(draft: Draft, stated: StatedAccount): bigint {
  const posted = postedBefore(draft, (of) => of === stated);
  const isOpen = ({ account, currency, isEarlier }: ExplainedItem) =>
    isEarlier && account === stated.account && currency === stated.currency;
  const sign = draft.partOf(stated) === 'books' ? -1n : 1n;
  const postedOf = ({ id }: ExplainedItem) =>
    [...(posted.get(id)?.lines.values() ?? [])].reduce(
      (sum, { role, minor }) => sum + (isClearing(role) ? minor : 0n),
      0n,
    );
  return draft.input.items.filter(isOpen).reduce((sum, item) => sum + item.effect - sign * postedOf(item), 0n);
}

function isClearing(role: JournalRole): boolean {
  return (CLEARING_ACCOUNTS as readonly string[]).includes(role);
}

/** The subject of money between two accounts of the merchant. */
export const ON_THE_WAY = 'on the way';

const BROUGHT = 'Brought forward: ';

function broughtText(text: string): string {
  return text.startsWith(BROUGHT) ? text : `${BROUGHT}${text}`;
}
