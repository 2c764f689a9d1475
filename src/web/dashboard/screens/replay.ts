import { EventReplay } from '../../../access/replaying.ts';
import { TallyhookError } from '../../../domain/error.ts';
import { optionText } from '../../../domain/records/advised-word.ts';
import { addressOf, numberIn, textIn } from '../asked.ts';
import { doOrAsk } from '../asking.ts';
import { noticeBlock, postForm } from '../blocks.ts';
import { EVENT_FILTERS, eventFilterIn } from '../event-filter.ts';
import { filtersForm, hidden, optionsOf, text } from '../filters.ts';
import { asOptions, isMeant, lookBlocks } from '../forms.ts';
import type { Field, Page } from '../page.ts';
import { type Answer, asideForm, type Context, lightPage, type Redirect, type Route } from '../route.ts';

// News about chosen events, handed on again: who gets it, which events, what would leave; then it leaves.

const ASKED = { target: hidden(text('Application', 255)), ...EVENT_FILTERS };
/** The conditions of the form. */
const { state: _, ...CHOSEN } = EVENT_FILTERS;

export const replayRoutes: readonly Route[] = [
  lightPage('/forwarding/replay', 'replay', ask, ASKED),
  asideForm('/forwarding/replay', 'replay', replay),
];

async function ask({ archive, query }: Context): Promise<Page> {
  const targets = (await archive.targets()).filter(({ present }) => present).map(({ name }) => name);
  const [first] = targets;
  const page = {
    title: 'Hand news on again',
    question: 'Which events, and to which of our applications?',
    commands: [commandOf(query)],
    trail: [{ text: 'Forwarding', href: '/forwarding' }],
  };
  if (first === undefined)
    return {
      ...page,
      blocks: [
        noticeBlock('quiet', 'No target is configured: nothing is handed on.', {
          next: 'Name your application under forward.targets.',
        }),
      ],
    };
  const options = asOptions(targets);
  return {
    ...page,
    blocks: [
      postForm('replay', '/forwarding/replay', {
        fields: [
          { type: 'select', name: 'target', label: 'Application', options, value: query.get('target') ?? first },
          ...filtersForm('/forwarding/replay', CHOSEN, query).fields,
        ],
        buttons: [{ label: 'Look at what would leave' }],
        note: 'It leaves under new ids, behind the other news of its record. Nothing is applied again.',
      }),
    ],
  };
}

async function replay(context: Context): Promise<Answer> {
  const { form, visitor, archive, operations, signal, progress, nowMs } = context;
  const target = textIn(form, 'target', 255);
  if (target === undefined) throw new TallyhookError('No target is chosen.', { kind: 'usage', hint: 'Choose one.' });
  const beforeMs = numberIn(form, 'before') ?? nowMs;
  const chosen = new EventReplay({
    ...{ archive, outbox: operations.outbox, target, filter: filterOf(context, beforeMs), by: visitor.name, signal },
    onProgress: (matched) => progress(matched, null),
  });
  if (!isMeant(form)) {
    await chosen.look();
    return lookPage(context, chosen, target, beforeMs);
  }
  const asked = async () => {
    if (form.get('ask') === '1') await chosen.look();
    return { act: 'replay', order: { target, eventIds: [...chosen.chosen] } } as const;
  };
  return doOrAsk(context, await asked(), async (): Promise<Redirect> => {
    await chosen.handOn();
    return { to: addressOf('/forwarding', { target }), said: `${countText(chosen)} handed on to ${target} again.` };
  });
}

/** What came after the look is not meant. */
function filterOf({ form, config }: Context, beforeMs: number) {
  const filter = eventFilterIn(form, config.timeZone);
  if (Object.keys(filter).length === 0)
    throw new TallyhookError('Nothing says which events.', {
      kind: 'usage',
      hint: 'Fill in one field at least: for everything, an early day in From.',
    });
  return { ...filter, untilMs: Math.min(filter.untilMs ?? beforeMs, beforeMs) };
}

function lookPage({ form }: Context, chosen: EventReplay, target: string, beforeMs: number): Page {
  const names = ['target', ...Object.keys(EVENT_FILTERS)];
  const kept = names.flatMap((name) => form.getAll(name).map((value): Field => ({ type: 'hidden', name, value })));
  const again = Object.fromEntries(names.map((name) => [name, form.getAll(name)]));
  return {
    title: 'Hand news on again?',
    question: 'What would leave?',
    commands: [`${commandOf(form)} --dry-run`],
    trail: [{ text: 'Forwarding', href: '/forwarding' }],
    blocks: lookBlocks({
      text: `${chosen.changed} of ${chosen.matched} would be handed on to ${target} again.`,
      next: 'Each leaves under a new id. Your application sees it once more, and has to know it by its record.',
      back: { text: 'Choose others', href: addressOf('/forwarding/replay', again) },
      action: '/forwarding/replay',
      chosen: [...kept, { type: 'hidden', name: 'before', value: String(beforeMs) }],
      ...{ button: { label: `Hand on to ${target}` }, isAny: chosen.changed > 0 },
    }),
  };
}

function commandOf(asked: URLSearchParams): string {
  return `tallyhook events replay ${optionText('target', asked.get('target') ?? 'TARGET')}${optionsOf(EVENT_FILTERS, asked)}`;
}

function countText({ matched, changed }: EventReplay): string {
  return `${changed} of ${matched} ${changed === 1 ? 'is' : 'are'}`;
}
