import { isUnresolved } from '../../../domain/exceptions/overdue.ts';
import { RECORD_KINDS } from '../../../domain/records/lifecycle.ts';
import { exceptionFacts } from '../../../lists/breaks.ts';
import { type BothSides, bothSides } from '../../../reconcile/exceptions/both-sides.ts';
import { queueDay } from '../../../reconcile/exceptions/queue.ts';
import { breakSubject, logText, nextStepNow, progressText } from '../../../reconcile/exceptions/words.ts';
import type { Exception } from '../../../store/exceptions.ts';
import { localTime } from '../../../time/local-time.ts';
import { recordStory } from '../../../why/why.ts';
import { recordAddress } from '../address.ts';
import { there } from '../asked.ts';
import { besideBlock, factsBlock, foldBlock, noticeBlock, postForm, sectionBlock, textBlock } from '../blocks.ts';
import { text } from '../filters.ts';
import { factsOf, figureOf } from '../list-blocks.ts';
import type { Block, Page, Shown } from '../page.ts';
import { type Context, lightPage, type Route } from '../route.ts';
import { wordingIn } from '../wording.ts';
import { couldBe, linePage, nameLine } from './exception-line.ts';
import { ACTS_OF_MANY, actButtons } from './exception-words.ts';
import { kindText } from './exceptions.ts';
import { storyBlock } from './record.ts';
import { placedFacts } from './statement-lines.ts';

async function show(context: Context): Promise<Page> {
  const { archive, params, config, nowMs } = context;
  const one = await found(context);
  const day = await queueDay(config, nowMs);
  const sides = await bothSides(archive, one, Number.MAX_SAFE_INTEGER);
  const log = await archive.exceptionLog(one.id);
  const local = localTime(config.timeZone);
  const time = (atMs: number | null) => (atMs === null ? 'no time' : local(atMs));
  const subject = breakSubject(one) ?? one.id;
  return {
    title: `${sentence(kindText(one))} of ${subject}`,
    question: 'What differs, which line could it be, and what becomes of it?',
    commands: [`tallyhook exceptions show ${params.id}`],
    trail: [{ text: 'Exceptions', href: '/exceptions' }],
    regions: ['exceptions'],
    blocks: [
      noticeBlock(isUnresolved(one) ? 'warn' : 'good', `${sentence(one.reason)}. It is ${progressText(one)}.`, {
        next: nextStepNow(one) ?? undefined,
        ...(one.sameAs !== null && {
          links: [{ text: 'The same difference in the wallet', href: `/exceptions/${one.sameAs}` }],
        }),
      }),
      acting(context, one),
      differing(one, sides),
      ...(await couldBe(context, one)),
      factsBlock([...factsOf(exceptionFacts(day, time), one), ['Id', { text: one.id, as: 'id' }]]),
      sectionBlock('done', 'What was done', [
        {
          kind: 'story',
          entries: log.map((entry) => ({ by: entry.who, at: { ms: entry.atMs }, text: logText(entry) })),
        },
      ]),
      ...(await storyOf(context, one)),
    ],
  };
}

function sentence(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}

async function found({ archive, params: { id = '' } }: Context): Promise<Exception> {
  return there(await archive.exception(id), `exception ${id}`, '/exceptions?unresolved=0');
}

/** The acts on this one: the same forms as those on many. */
function acting({ may }: Context, one: Exception): Block {
  const isResolved = one.status === 'resolved';
  const isFit: Readonly<Record<string, boolean>> = {
    resolve: !isResolved && one.status !== 'closed',
    assign: !isResolved && one.status !== 'closed',
    comment: true,
    reopen: isResolved,
    approve: isResolved && one.approval?.state === 'needed',
  };
  const acts = ACTS_OF_MANY.filter(({ name, act }) => may(act) && isFit[name]);
  if (acts.length === 0) return textBlock('Your roles may look at it, and decide nothing.', { tone: 'quiet' });
  return postForm('act', acts[0]?.path ?? '', {
    as: 'act',
    fields: [{ type: 'hidden', name: 'item', value: `${one.id}:${one.version}` }],
    buttons: actButtons(acts),
  });
}

/** Ours, theirs and the difference, beside each other. */
function differing(one: Exception, sides: BothSides): Block {
  const { currency, field } = one;
  const { record } = sides;
  const name = sentence(field ?? 'value');
  return besideBlock([
    {
      title: 'Our records',
      blocks: [
        factsBlock([
          [name, figureOf(one.ours ?? 'nothing')],
          ['Reference', referenceShown(one)],
          ...(record === null
            ? []
            : ([
                ['Reported by webhooks', record.reported],
                ['Confirmed by the service', record.confirmed],
                ['Day', { ms: record.effectiveAtMs, as: 'day' }],
              ] as const)),
        ]),
      ],
    },
    {
      title: 'The statement',
      blocks: [factsBlock([[name, figureOf(one.theirs ?? 'nothing')], ...placedFacts(one.line, sides)])],
    },
    {
      title: 'The difference',
      tone: 'warn',
      blocks: [
        factsBlock([
          ['Variance', { amount: one.variance, currency, as: 'effect' }],
          ['Effect on the balance', { amount: one.effect, currency, as: 'effect' }],
        ]),
      ],
    },
  ]);
}

/** The record behind the reference, where it is one of ours. */
function referenceShown({ kind, reference, environment }: Exception): Shown {
  if (reference === null) return null;
  const ours = RECORD_KINDS.find((one) => one === kind);
  if (ours === undefined) return { text: reference, as: 'id' };
  return { text: reference, as: 'id', href: recordAddress({ kind: ours, reference, environment }) };
}

/** The story of the record behind it. */
async function storyOf({ archive, config }: Context, one: Exception): Promise<Block[]> {
  const entries = await recordStory(archive, one, wordingIn(config.timeZone));
  if (entries.length === 0) return [];
  const title = `Story of ${breakSubject(one)}`;
  return [foldBlock(title, [storyBlock(entries)], { id: 'story' })];
}

const LINE = { path: '/exceptions/:id/line', act: 'exception.resolve', weight: 'light' } as const;
const ASKED = { line: text('Line') };

export const oneExceptionRoutes: readonly Route[] = [
  lightPage('/exceptions/:id', 'read', show),
  { ...LINE, method: 'GET', asks: ASKED, handle: async (context) => linePage(context, await found(context)) },
  { ...LINE, method: 'POST', handle: async (context) => nameLine(context, await found(context)) },
];
