import { TallyhookError } from '../../../domain/error.ts';
import { actOnExceptions } from '../../../reconcile/exceptions/act.ts';
import { followRuns } from '../../../reconcile/exceptions/follow.ts';
import { counted, countOf } from '../../../reconcile/report/words.ts';
import type { Exception, ExceptionAct } from '../../../store/exceptions.ts';
import { noticeBlock, postForm } from '../blocks.ts';
import { refusalText } from '../failure.ts';
import type { Block, Page } from '../page.ts';
import { type Answer, type Context, lightForm, type Redirect, type Route } from '../route.ts';
import {
  type Asked,
  carried,
  chosen,
  exceptionsOf,
  hiddenWords,
  listAddress,
  MOST_CHOSEN,
  rowsTable,
  saidFacts,
  sumsFacts,
} from './exception-chosen.ts';
import { parted, refusalBlocks } from './exception-refused.ts';
import { ACTS_OF_MANY, type ActWords, attachedText, fieldsOf, needsFiles, wantedOf } from './exception-words.ts';

/*
 * One act on many exceptions: the form asks for the words, a dry run shows what would change, and then it is done. Each exception is
 * named with the version that the person saw, so that what another person changed meanwhile is shown and never overwritten.
 */

function handlerOf(words: ActWords) {
  return async (context: Context): Promise<Answer> => {
    const { form } = context;
    const { items, isCut } = await chosen(context);
    const asked: Asked = { words, items, isCut };
    if (items.length === 0) return nothingChosen(context, words);
    await keepAttachment(context);
    const step = form.get('step');
    if (step === null) return askingPage(context, asked);
    try {
      const acts = actsOf(context, asked);
      return step === 'do' ? await doing(context, asked, acts) : await looking(context, asked, acts);
    } catch (error) {
      if (!(error instanceof TallyhookError) || error.kind !== 'usage') throw error;
      return { ...(await askingPage(context, asked, refusalText(error))), status: 422 };
    }
  };
}

function nothingChosen({ form }: Context, { label }: ActWords): Page {
  return {
    ...pageOf(`${label}: nothing is chosen`, 'exceptions list', []),
    status: 422,
    blocks: [
      noticeBlock('warn', 'No exception is chosen.', {
        next: 'Tick the rows, or "All of this list", and try again.',
        links: [{ text: 'Back to the list', href: listAddress(form) }],
      }),
    ],
  };
}

async function keepAttachment({ form, files }: Context): Promise<void> {
  const file = files.attachment;
  if (file !== undefined && file.name !== '' && file.bytes > 0) form.append('attached', await attachedText(file));
}

function actsOf({ form, visitor }: Context, { words, items }: Asked): ExceptionAct[] {
  const wanted = wantedOf(words.name, form);
  return items.map(({ id, version }) => ({ ...wanted, id, version, by: visitor.name }));
}

// First the words.

async function askingPage(context: Context, asked: Asked, problem?: string): Promise<Page> {
  const { words, items, isCut } = asked;
  const rows = await exceptionsOf(context, items);
  const { reasons } = context.config.exceptions;
  return pageOf(`${words.label}: ${countOf(items.length, 'exception')}`, `exceptions ${words.name}`, [
    ...(isCut ? [CUT] : []),
    sumsFacts(rows),
    postForm('say', words.path, {
      isUpload: needsFiles(reasons),
      fields: [...fieldsOf(words.name, context.form, reasons), ...carried(context.form, items)],
      buttons: [{ label: 'Look at what would change', name: 'step', value: 'look' }],
      problem,
    }),
    await rowsTable(context, rows),
  ]);
}

const CUT: Block = noticeBlock(
  'warn',
  `The list has more: one act takes ${counted(MOST_CHOSEN)} exceptions at most, and these are the first ones.`,
  { next: 'Do these, then the rest; or use the spreadsheet.' },
);

// Then the dry run.

async function looking(context: Context, asked: Asked, acts: readonly ExceptionAct[]): Promise<Page> {
  const { operations } = context;
  const { words, items } = asked;
  await followRuns(operations.exceptions);
  const { done, refused } = parted(await operations.exceptions.act({ ...rulesOf(context), acts, dryRun: true }));
  const waiting = waitingIn(words, done);
  const would = `${countOf(done.length, 'exception')} would be ${words.done}`;
  const isRight = refused.length === 0;
  const fields = [...hiddenWords(context, words), ...carried(context.form, items)];
  return pageOf(`${words.label}: what would change`, `exceptions ${words.name}`, [
    noticeBlock(
      isRight ? 'good' : 'warn',
      `${would}; ${counted(refused.length)} would be refused. Nothing is changed yet.`,
      {
        ...(waiting > 0 && {
          next: `${countOf(waiting, 'resolution')} above the limit then ${waiting === 1 ? 'waits' : 'wait'} for a second person.`,
        }),
      },
    ),
    saidFacts(context, asked),
    sumsFacts(done),
    postForm('do', words.path, {
      fields,
      buttons: [
        ...(done.length === 0
          ? []
          : [{ label: `${words.label}: ${countOf(done.length, 'exception')}`, name: 'step', value: 'do' } as const]),
        { label: 'Change the words', as: 'plain' },
      ],
    }),
    ...(await refusalBlocks(context, asked, refused)),
    await rowsTable(context, done),
  ]);
}

// And then it is done.

async function doing(context: Context, asked: Asked, acts: readonly ExceptionAct[]): Promise<Page | Redirect> {
  const { operations, form } = context;
  const { words } = asked;
  const { done, refused } = parted(await actOnExceptions({ ...rulesOf(context), acts }, operations.exceptions));
  const waiting = waitingIn(words, done);
  const said = [
    `${countOf(done.length, 'exception')} ${words.done}.`,
    ...(waiting > 0
      ? [`${countOf(waiting, 'resolution')} ${waiting === 1 ? 'waits' : 'wait'} for a second person.`]
      : []),
  ].join(' ');
  const [only] = asked.items;
  const isOne = asked.items.length === 1 && only !== undefined;
  if (refused.length === 0) return { to: isOne ? `/exceptions/${only.id}` : listAddress(form), said };
  return {
    ...pageOf(`${words.label}: not all of it was done`, `exceptions ${words.name}`, [
      noticeBlock('warn', `${said} ${counted(refused.length)} refused; these stay as they are.`, {
        links: [{ text: 'Back to the list', href: listAddress(form) }],
      }),
      ...(await refusalBlocks(context, asked, refused)),
    ]),
    status: 409,
  };
}

function rulesOf({ config }: Context) {
  return { reasons: config.exceptions.reasons, accountSets: Object.values(config.periods.sets) };
}

function waitingIn({ name }: ActWords, done: readonly Exception[]): number {
  return name === 'resolve' ? done.filter(({ approval }) => approval?.state === 'needed').length : 0;
}

function pageOf(title: string, command: string, blocks: readonly Block[]): Page {
  return {
    ...{ title, blocks, commands: [`tallyhook ${command}`] },
    question: 'What becomes of these exceptions?',
    trail: [{ text: 'Exceptions', href: '/exceptions' }],
  };
}

export const exceptionActRoutes: readonly Route[] = ACTS_OF_MANY.map((words) =>
  lightForm(words.path, words.act, handlerOf(words)),
);
