import type { JournalRole } from '../../domain/journal/words.ts';
import type { Draft } from './draft.ts';
import { ON_THE_WAY } from './earlier.ts';
import type { EntryHead, Target } from './entry-builder.ts';
import type { ExplainedItem } from './input.ts';
import { accountOf, type PostedItem, postedBefore } from './posted-items.ts';

/**
 * Posts every explained difference out of clearing. What an earlier period has posted already stands: only what changed since is
 * posted, and what is gone, as when a claim was paid, is taken back.
 */
export function postItems(draft: Draft): void {
  const { input } = draft;
  const settled = postedBefore(draft, (stated) => stated !== undefined);
  for (const item of input.items) {
    const stated = accountOf(draft, item);
    if (stated === undefined || draft.partOf(stated) === 'aside') continue;
    const isBooks = draft.partOf(stated) === 'books';
    // By the books the clearing account is debited, by a statement of money credited.
    const clearing = isBooks ? -item.effect : item.effect;
    // An account without a balance has in its movements again what differs on days of the period.
    const before = stated.balance !== null || item.isEarlier ? settled.get(item.id) : undefined;
    if (before !== undefined && !isUnchanged(draft, item, before, clearing)) takeBack(draft, before);
    else if (before !== undefined) {
      settled.delete(item.id);
      continue;
    }
    settled.delete(item.id);
    const head = headOf(draft, item);
    const { text, reference, id: subject } = item;
    draft.builder.post(head, { role: isBooks ? 'sales_clearing' : item.clearing }, clearing, {
      text,
      reference,
      subject,
    });
    draft.builder.post(head, targetOf(item), -clearing, { text, reference, subject });
  }
  // Of an account without a balance the movements have it again, once its cause is gone.
  for (const gone of settled.values()) if (accountOf(draft, gone)?.balance !== null) takeBack(draft, gone);
}

/**
 * What an account left open that has no statement any more goes where it was decided to, else is carried on: no movement of the period
 * ends it.
 */
export function carryUnstated(draft: Draft): void {
  const { input, builder } = draft;
  for (const { source, account, currency, lines } of input.earlier?.last ?? []) {
    if (source !== 'carried' || accountOf(draft, { account, currency }) !== undefined) continue;
    for (const { account: name, role, minor, text, reference, subject } of lines) {
      // With another account of its currency it is carried on already.
      if (subject === ON_THE_WAY && draft.currencies.includes(currency)) continue;
      const item = input.items.find(({ id }) => id === subject);
      const [date, target] = [input.period.to, item?.target ?? null];
      const head = {
        date,
        source: target === null ? ('carried' as const) : ('resolution' as const),
        account,
        currency,
      };
      const isDecided = item !== undefined && target !== null && role === 'carried';
      builder.post(head, isDecided ? targetOf(item) : { role, name }, minor, { text, reference, subject });
    }
  }
}

function isUnchanged({ input }: Draft, item: ExplainedItem, { lines }: PostedItem, clearing: bigint): boolean {
  const { target, account, currency } = item;
  if (target === null) return false;
  const name = 'name' in target ? target.name : input.names.nameOf(target.role, account, currency);
  return lines.get(name)?.minor === -clearing;
}

function takeBack({ input, builder }: Draft, { id, account, currency, lines }: PostedItem): void {
  const head = { date: input.period.to, source: 'resolution' as const, account, currency };
  for (const { account: name, role, minor, text, reference } of lines.values()) {
    builder.post(head, { role, name }, -minor, { text: `${ENDED}${text}`, reference, subject: id });
  }
}

const ENDED = 'No longer so: ';

function headOf({ input }: Draft, { account, currency, target }: ExplainedItem): EntryHead {
  return { date: input.period.to, source: target === null ? 'carried' : 'resolution', account, currency };
}

function targetOf({ target }: ExplainedItem): Target {
  if (target === null) return { role: 'carried' };
  return 'name' in target ? { role: 'reason' satisfies JournalRole, name: target.name } : target;
}
