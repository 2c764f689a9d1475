import { readFile, writeFile } from 'node:fs/promises';
import { text } from '../../../lists/column.ts';
import { sheetChangeColumns, sheetRefusalColumns } from '../../../lists/sheet.ts';
import { followRuns } from '../../../reconcile/exceptions/follow.ts';
import { everyException, queueDay } from '../../../reconcile/exceptions/queue.ts';
import { StatementFileError } from '../../../reconcile/file/problem.ts';
import { countOf } from '../../../reconcile/report/words.ts';
import { SHEET_FORMATS } from '../../../reconcile/sheet/columns.ts';
import { refuseTooMany, sheetFile } from '../../../reconcile/sheet/export.ts';
import { type ImportedSheet, importSheet } from '../../../reconcile/sheet/import.ts';
import { refusedFile } from '../../../reconcile/sheet/refused-file.ts';
import { wordIn } from '../asked.ts';
import { noticeBlock, postForm, textBlock } from '../blocks.ts';
import { refusalText } from '../failure.ts';
import { hidden, word } from '../filters.ts';
import { listTable } from '../list-blocks.ts';
import type { Block, Field, Page, TableBlock } from '../page.ts';
import {
  type Answer,
  asideForm,
  asidePage,
  type Context,
  type Download,
  FILE_TYPES,
  lightForm,
  lightPage,
  type Route,
  type UploadedFile,
} from '../route.ts';
import { dropUpload, keepUpload, withUpload } from '../uploads.ts';
import { askedQueue, filterOf, QUEUE_FILTERS } from './exception-filter.ts';

// The queue as a spreadsheet, out and in.

const MOST_SHOWN = 200;
const DOWNLOAD = { ...QUEUE_FILTERS, format: hidden(word('Format', SHEET_FORMATS)) };

/** The exceptions of a filter, to be filled. */
async function download({ archive, query, config, nowMs }: Context): Promise<Download> {
  const format = wordIn(query, 'format', SHEET_FORMATS) ?? 'xlsx';
  const day = await queueDay(config, nowMs);
  const filter = filterOf(askedQueue(query), day);
  const totals = await archive.exceptionTotals(filter);
  refuseTooMany(
    totals.reduce((sum, { count }) => sum + count, 0),
    format,
  );
  const exceptions = await everyException(archive, filter);
  const content = { exceptions, today: day.today, reasons: config.exceptions.reasons };
  return {
    name: `exceptions-${day.today}.${format}`,
    type: FILE_TYPES[format],
    bytes: await sheetFile(content, format),
  };
}

async function ask(problem?: string): Promise<Page> {
  return pageOf('Take a spreadsheet back', [
    postForm('send', '/exceptions/sheets', {
      isUpload: true,
      fields: [
        {
          ...{ type: 'file', name: 'file', label: 'The spreadsheet, CSV or XLSX', accept: '.csv,.xlsx' },
          ...{ hint: 'One that was downloaded from the list, with its last columns filled.', required: true },
        },
      ],
      buttons: [{ label: 'Send and look at what would change' }],
      problem,
    }),
    textBlock('Each row says one exception: resolution, reason code, assignee, comment, follow-up.', {
      links: [{ text: 'Download one from the list', href: '/exceptions' }],
    }),
  ]);
}

function pageOf(title: string, blocks: readonly Block[]): Page {
  return {
    ...{ title, blocks },
    question: 'What does the spreadsheet change, and what is refused?',
    commands: ['tallyhook exceptions import FILE --dry-run', 'tallyhook exceptions import FILE'],
    trail: [{ text: 'Exceptions', href: '/exceptions' }],
  };
}

async function upload(context: Context): Promise<Answer> {
  const { files, uploads, visitor, nowMs, operations } = context;
  const { file } = files;
  if (file === undefined || file.name === '' || file.bytes === 0)
    return { ...(await ask('Choose a file that is not empty.')), status: 422 };
  await followRuns(operations.exceptions); // the page after it is a GET, and writes nothing
  return { to: `/exceptions/sheets/${await keepUpload(uploads, visitor.login, file, nowMs)}` };
}

function withSheet(work: (context: Context, file: UploadedFile) => Promise<Answer>) {
  return withUpload(
    async (context, file) => {
      try {
        return await work(context, file);
      } catch (error) {
        if (!(error instanceof StatementFileError)) throw error;
        return { ...(await ask(refusalText(error))), status: 422 };
      }
    },
    () => ask('The file is not here any more: send it again.'),
  );
}

async function applied(context: Context, { path }: UploadedFile, isDry: boolean): Promise<ImportedSheet> {
  const { archive, operations, config, nowMs, visitor } = context;
  const { today } = await queueDay(config, nowMs);
  if (!isDry) await followRuns(operations.exceptions);
  const { reasons } = config.exceptions;
  const order = {
    path,
    by: visitor.name,
    isDry,
    allOrNothing: context.form.get('allOrNothing') === '1',
    reasons,
    today,
  };
  return importSheet(order, archive, operations.exceptions);
}

/** The dry run. */
async function look(context: Context, file: UploadedFile): Promise<Page> {
  const sheet = await applied(context, file, true);
  const { changed, refused, unchanged, known, rows } = sheet;
  if (known)
    return pageOf(`${file.name} is known`, [
      noticeBlock('good', 'This very file was taken back before: nothing changes.'),
    ]);
  return pageOf(`${file.name}: what would change`, [
    noticeBlock(
      refused.length === 0 ? 'good' : 'warn',
      `${countOf(rows, 'row')}: ${changed.length} would change, ${unchanged} say nothing new, ${refused.length} would be refused. Nothing is changed yet.`,
    ),
    ...(changed.length === 0 ? [] : [takeForm(context, sheet)]),
    ...tables(sheet),
  ]);
}

function takeForm({ params }: Context, { changed, refused }: ImportedSheet): Block {
  return postForm('take', `/exceptions/sheets/${params.upload}`, {
    fields: refused.length === 0 ? [] : [ALL_OR_NOTHING],
    buttons: [{ label: `Take ${countOf(changed.length, 'row')} back` }],
  });
}

const ALL_OR_NOTHING: Field = {
  ...{ type: 'checkbox', name: 'allOrNothing', value: '1' },
  label: 'Change nothing as long as a row is refused',
};

async function take(context: Context, file: UploadedFile): Promise<Answer> {
  const { uploads, visitor, params } = context;
  const sheet = await applied(context, file, false);
  const { changed, refused, applied: isDone } = sheet;
  const said = `${file.name}: ${countOf(changed.length, 'row')} ${isDone ? 'changed' : 'not changed'}, ${refused.length} refused.`;
  if (refused.length === 0) {
    await dropUpload(uploads, visitor.login, params.upload ?? '');
    return { to: '/exceptions', said };
  }
  const { source, header } = sheet;
  const bytes = await refusedFile(source, header, refused);
  const waits = await keepRefused(context, file, bytes);
  return {
    ...pageOf(`${file.name}: some rows were refused`, [
      noticeBlock('warn', said, {
        next: 'Mend the refused rows in the file below, and send it. Rows that were changed are not in it.',
        links: [{ text: 'The refused rows as a file', href: `/exceptions/sheets/${waits}/refused` }],
      }),
      ...tables(sheet),
    ]),
    status: 409,
  };
}

/** Keeps the refused rows as an upload of the same session, to be fetched. */
async function keepRefused(
  { uploads, visitor, nowMs, params }: Context,
  file: UploadedFile,
  bytes: Uint8Array,
): Promise<string> {
  const name = file.name.replace(/(\.\w+)?$/, '.refused$1');
  await writeFile(file.path, bytes, { mode: 0o600 });
  const id = await keepUpload(uploads, visitor.login, { ...file, name }, nowMs);
  await dropUpload(uploads, visitor.login, params.upload ?? '');
  return id;
}

async function refusedRows(_context: Context, { path, name }: UploadedFile): Promise<Download> {
  const type = name.endsWith('.xlsx') ? FILE_TYPES.xlsx : FILE_TYPES.csv;
  return { name, type, bytes: await readFile(path) };
}

function tables({ changed, refused }: ImportedSheet): TableBlock[] {
  const waits = text<(typeof changed)[number]>('Then', (one) => (one.waits ? 'waits for a second person' : null));
  const changes = listTable([...sheetChangeColumns(), waits], changed, {
    ...{ id: 'changes', caption: 'Rows that change', most: MOST_SHOWN, beside: { Change: 'Then' } },
    links: { Id: ({ id }) => `/exceptions/${id}` },
    empty: {
      text: 'No row changes anything.',
      next: 'Fill a resolution, assignee or comment in, and send the file again.',
    },
  });
  const refusals = listTable(sheetRefusalColumns(String), refused, {
    ...{ id: 'refused', caption: 'Refused rows', most: MOST_SHOWN, empty: null },
    tone: () => 'bad',
  });
  return refused.length === 0 ? [changes] : [refusals, changes];
}

export const exceptionSheetRoutes: readonly Route[] = [
  asidePage('/exceptions/sheet', 'read', download, DOWNLOAD),
  lightPage('/exceptions/sheets', 'sheet.import', () => ask()),
  lightForm('/exceptions/sheets', 'sheet.import', upload),
  asidePage('/exceptions/sheets/:upload', 'sheet.import', withSheet(look)),
  asideForm('/exceptions/sheets/:upload', 'sheet.import', withSheet(take)),
  lightPage('/exceptions/sheets/:upload/refused', 'sheet.import', withSheet(refusedRows)),
];
