import { TallyhookError } from '../../../domain/error.ts';
import { rivalsOf } from '../../../reconcile/balance/rivals-of.ts';
import { StatementFileError } from '../../../reconcile/file/problem.ts';
import { type ImportResult, importStatement, previewImport } from '../../../reconcile/import/import.ts';
import { ImportRefusedError } from '../../../reconcile/import/refusal.ts';
import { rivalTexts } from '../../../reconcile/import/words.ts';
import { readProfile } from '../../../reconcile/profile/load.ts';
import { ProfileError } from '../../../reconcile/profile/problem.ts';
import { proposeProfile } from '../../../reconcile/proposal/propose.ts';
import { counted, countOf } from '../../../reconcile/report/words.ts';
import { addressOf, textIn } from '../asked.ts';
import { getForm, noticeBlock, postForm, textBlock } from '../blocks.ts';
import { askedIn, hidden, number } from '../filters.ts';
import type { Block, Page } from '../page.ts';
import { type Answer, type Context, lightForm, type Redirect, type Route, type UploadedFile } from '../route.ts';
import { dropUpload, keepUpload, withUpload } from '../uploads.ts';
import { facts, problems, verdict } from './statement-preview.ts';
import { firstRowsTable, otherProposal, profileFold, profileOf, proposalForm, SAID } from './statement-proposal.ts';
import { uploadAgain } from './statements.ts';

/*
 * A file on its way in: it is sent once, then looked at with a profile that is known or proposed, run dry, and imported. Each step is a
 * page of its own, and what a person wrote is in the next one.
 */

async function upload(context: Context): Promise<Answer> {
  const { files, form, uploads, visitor, nowMs } = context;
  const { file } = files;
  if (file === undefined || file.name === '') return uploadAgain(context, 'Choose a file first.');
  if (file.bytes === 0) return uploadAgain(context, `${file.name} is empty: was it cut off? Send it again.`);
  const id = await keepUpload(uploads, visitor.login, file, nowMs);
  return { to: addressOf(`/statements/new/${id}`, { as: textIn(form, 'as') }) };
}

/** What became of the file of an address that is not there any more. */
const GONE: Page = {
  title: 'The file is not here any more',
  question: 'What became of the file that was sent?',
  commands: ['tallyhook statements import FILE --profile PROFILE'],
  trail: [{ text: 'Statements', href: '/statements' }],
  blocks: [
    noticeBlock('warn', 'It was imported already, or it was sent more than an hour ago.', {
      next: 'Look whether it is in the list; else send it again.',
      links: [{ text: 'Statements', href: '/statements' }],
    }),
  ],
};

function pageOf(file: UploadedFile, title: string, command: string, blocks: readonly Block[]): Page {
  return {
    ...{ title: `${file.name}: ${title}`, blocks, commands: [command] },
    question: 'How is this file read, and what does it say?',
    trail: [{ text: 'Statements', href: '/statements' }],
  };
}

// How it is read.

/** `as`: the statement whose profile reads this one, too. */
const ASKED = { as: hidden(number('As')), ...SAID };

async function begin(context: Context, file: UploadedFile): Promise<Page> {
  const { query, archive, params, config } = context;
  const { as, ...said } = askedIn(ASKED, query, config.timeZone);
  const known = as === undefined ? null : await archive.profileOf(as);
  if (known !== null) return look(context, file, known.text);
  try {
    const { text, unused, notes, firstRows } = await proposeProfile(file.path, said);
    return pageOf(file, 'is it read right?', `tallyhook statements profile ${file.name}`, [
      ...notes.map((note): Block => noticeBlock('warn', note)),
      noticeBlock(
        'quiet',
        'This is how the file seems to be read. Nothing is guessed once you have confirmed it: look at each value, and mend it where it is wrong.',
      ),
      firstRowsTable(firstRows),
      otherProposal(params.upload ?? '', said),
      proposalForm(params.upload ?? '', text),
      ...(unused.length === 0
        ? []
        : [textBlock(`Columns that are not used: ${unused.join(', ')}.`, { tone: 'quiet' })]),
    ]);
  } catch (error) {
    if (error instanceof StatementFileError) return unreadable(file, error);
    throw error;
  }
}

function unreadable(file: UploadedFile, error: StatementFileError): Page {
  const { message, hint } = error;
  return {
    ...pageOf(file, 'cannot be read', `tallyhook statements profile ${file.name}`, [
      noticeBlock('bad', message, { next: hint, links: [{ text: 'Send another file', href: '/statements#upload' }] }),
    ]),
    status: 422,
  };
}

// What it says: the dry run.

function lookWith(context: Context, file: UploadedFile): Promise<Page> {
  return look(context, file, profileOf(context.form));
}

async function look(context: Context, file: UploadedFile, text: string): Promise<Page> {
  const { operations, signal, progress, params } = context;
  const id = params.upload ?? '';
  const command = `tallyhook statements import ${file.name} --profile PROFILE --dry-run`;
  try {
    const profile = readProfile(text, 'the profile');
    const order = { path: file.path, profile };
    const result = await previewImport(order, operations.statements, { signal, onProgress: progress });
    if (result.outcome === 'known') return knownPage(file, result.statement, command);
    if (result.outcome === 'stopped') throw stopped(file);
    return pageOf(file, 'what would be imported', command, [
      verdict(result),
      facts(result),
      postForm('import', `/statements/new/${id}/import`, {
        fields: [{ type: 'hidden', name: 'profile', value: text }],
        buttons: [{ label: `Import ${countOf(result.totals.lines, 'line')} into ${profile.owner.name}` }],
      }),
      ...problems(result),
      profileFold(id, text, false),
    ]);
  } catch (error) {
    return { ...pageOf(file, 'it cannot be read like this', command, mending(error, id, text)), status: 422 };
  }
}

/** Why it cannot be read, and the profile to be mended. @throws what is no mistake of the file or the profile */
function mending(error: unknown, id: string, text: string): Block[] {
  if (error instanceof ProfileError)
    return [
      noticeBlock('bad', 'The profile has mistakes. Mend them, and look again.'),
      {
        ...{ kind: 'table', id: 'mistakes', caption: 'Mistakes' },
        columns: [{ name: 'Setting', as: 'head' }, { name: 'Value' }, { name: 'What is wrong' }],
        rows: error.problems.map(({ path, seen, rule }) => ({
          cells: [path, seen ?? null, { text: rule, as: 'long' }],
        })),
        empty: null,
      },
      proposeForm(id),
      profileFold(id, text, true),
    ];
  if (error instanceof StatementFileError || error instanceof ImportRefusedError) {
    const { message, hint } = error;
    return [noticeBlock('bad', message, { next: hint }), proposeForm(id), profileFold(id, text, true)];
  }
  throw error;
}

/** For a file that is not of the account whose profile was chosen. */
function proposeForm(id: string): Block {
  return getForm('propose', `/statements/new/${id}`, {
    buttons: [{ label: 'Propose how it is read instead' }],
    note: 'A file of another account, or of another bank, is read by a profile of its own.',
  });
}

function knownPage(file: UploadedFile, statement: number, command: string): Page {
  return pageOf(file, 'is known', command, [
    noticeBlock('good', `This very file was imported before, as statement ${statement}.`, {
      next: 'Nothing is to do: a second import changes nothing.',
      links: [{ text: `Statement ${statement}`, href: `/statements/${statement}` }],
    }),
  ]);
}

function stopped({ name }: UploadedFile): TallyhookError {
  return new TallyhookError(`Stopped: nothing of ${name} shows.`, { kind: 'failed', hint: 'Send it again.' });
}

// And then it is imported.

async function bringIn(context: Context, file: UploadedFile): Promise<Answer> {
  const { operations, visitor, signal, progress, params, uploads, form } = context;
  const id = params.upload ?? '';
  const text = profileOf(form);
  try {
    const order = { path: file.path, profile: readProfile(text, 'the profile'), by: visitor.name };
    const result = await importStatement(order, operations.statements, { signal, onProgress: progress });
    if (result.outcome === 'stopped') throw stopped(file);
    await dropUpload(uploads, visitor.login, id);
    return await imported(context, file, result);
  } catch (error) {
    const command = `tallyhook statements import ${file.name} --profile PROFILE`;
    return { ...pageOf(file, 'was not imported', command, mending(error, id, text)), status: 409 };
  }
}

async function imported(
  { archive }: Context,
  file: UploadedFile,
  result: Exclude<ImportResult, { outcome: 'stopped' }>,
): Promise<Page | Redirect> {
  const { statement } = result;
  if (statement === null) throw new Error(`The import of ${file.name} kept nothing.`);
  const to = `/statements/${statement}`;
  if (result.outcome === 'known') return { to, said: `${file.name} was imported before. Nothing changed.` };
  const rivals = await rivalsOf(archive, statement);
  const { totals, new: fresh } = result;
  const said = `${file.name} is imported: ${countOf(totals.lines, 'line')}, ${counted(fresh)} of them new. Reconcile its days next.`;
  if (rivals.length === 0) return { to, said };
  return pageOf(file, 'is imported, and another file says otherwise', `tallyhook statements show ${statement}`, [
    noticeBlock('good', said, { links: [{ text: `Statement ${statement}`, href: to }] }),
    ...rivals.map((one): Block => {
      const [text = '', next = ''] = rivalTexts(one);
      const other = one.one.statement;
      return noticeBlock('warn', text, { next, links: [{ text: `Statement ${other}`, href: `/statements/${other}` }] });
    }),
  ]);
}

const gone = async () => GONE;
const ACT = { act: 'statement.import', weight: 'aside' } as const;

export const statementUploadRoutes: readonly Route[] = [
  lightForm('/statements/upload', 'statement.import', upload),
  { method: 'GET', path: '/statements/new/:upload', ...ACT, asks: ASKED, handle: withUpload(begin, gone) },
  { method: 'POST', path: '/statements/new/:upload/look', ...ACT, handle: withUpload(lookWith, gone) },
  { method: 'POST', path: '/statements/new/:upload/import', ...ACT, handle: withUpload(bringIn, gone) },
];
