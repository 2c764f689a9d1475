import { seenText } from '../../../lists/seen.ts';
import type { SeenList, SeenMark } from '../../../store/seen.ts';
import { numberIn } from '../asked.ts';
import { textBlock } from '../blocks.ts';
import { actForm } from '../forms.ts';
import type { Block } from '../page.ts';
import type { Context, Redirect } from '../route.ts';
import { wordingIn } from '../wording.ts';

// A person has looked through a list: what comes later is new to all.

const ACTS = { refused: 'refused.see', quarantine: 'quarantine.see' } as const;

/** Who has looked through the list, and the button to say so of the list as this page shows it. */
export function seenBlocks({ may, nowMs, config }: Context, list: SeenList, mark: SeenMark | null): Block[] {
  const told: Block = textBlock(seenText(mark, wordingIn(config.timeZone).time), { tone: 'quiet' });
  if (!may(ACTS[list])) return [told];
  return [
    told,
    actForm('seen', `/${list}/seen`, { label: 'I have looked through it', as: 'plain' }, [
      { type: 'hidden', name: 'upTo', value: String(nowMs) },
    ]),
  ];
}

/** Notes it, with the name of the visitor. */
export function seen(list: SeenList) {
  return async ({ operations, form, visitor, nowMs }: Context): Promise<Redirect> => {
    const upToMs = numberIn(form, 'upTo') ?? nowMs;
    await operations.seen.mark({ list, upToMs, by: visitor.name });
    return { to: `/${list}`, said: 'Noted. What comes from now on is new.' };
  };
}
