import { happeningOf } from '../../../lists/happening.ts';
import { statementFacts } from '../../../lists/statements.ts';
import { removeStatement } from '../../../reconcile/import/remove.ts';
import { CURES, controlText } from '../../../reconcile/import/words.ts';
import { countOf } from '../../../reconcile/report/words.ts';
import type { Cursor } from '../../../store/cursor.ts';
import type { StatementProfile, StatementSummary } from '../../../store/statements.ts';
import { addressOf, numberIn, rowNamed } from '../asked.ts';
import { doOrAsk } from '../asking.ts';
import { factsBlock, foldBlock, linksBlock, noticeBlock, postForm } from '../blocks.ts';
import { AFTER, number } from '../filters.ts';
import { factsOf, pagesBlock } from '../list-blocks.ts';
import type { Block, Page } from '../page.ts';
import { type Answer, asideForm, type Context, type Download, lightPage, type Redirect, type Route } from '../route.ts';
import { linesTable, unparsedTable } from './statement-lines.ts';

const ROWS = 100;

async function show(context: Context): Promise<Page> {
  const { archive, query, may } = context;
  const one = await found(context);
  const { statement, controls, unparsed, removedAtMs } = one;
  const rows = unparsed === 0 ? [] : await archive.unparsedRows(statement);
  const profile = await archive.profileOf(statement);
  const address = `/statements/${statement}`;
  return {
    title: `${one.file.name}, statement ${statement}`,
    question: 'What does this file say, does it add up, and how was it read?',
    commands: [`tallyhook statements show ${statement}`],
    trail: [{ text: 'Statements', href: '/statements' }],
    blocks: [
      removedAtMs === null ? verdict(one) : noticeBlock('quiet', 'It was removed: its lines count no more.'),
      facts(one),
      ...controls.map(
        (check): Block =>
          noticeBlock('bad', controlText(one.file.name, check), {
            next: `${CURES[check.control]} Ask for the file again, or mend the profile.`,
          }),
      ),
      ...(rows.length === 0 ? [] : [unparsedTable(rows, unparsed)]),
      ...(removedAtMs === null ? await linesOf(context, one, query) : []),
      ...(profile === null ? [] : [profileFold(profile, address)]),
      ...(removedAtMs === null && may('statement.remove') ? [removing(address)] : []),
    ],
  };
}

function profileFold({ name, text }: StatementProfile, address: string): Block {
  const links = [{ text: `${name}.yaml`, href: `${address}/profile`, isDownload: true }];
  return foldBlock(`How it was read: profile ${name}`, [
    { kind: 'body', title: 'Profile', text },
    linksBlock('Profile as a file', links),
  ]);
}

function removing(address: string): Block {
  return linksBlock('Acts', [{ text: 'Remove it …', href: `${address}/remove` }]);
}

function found({ archive, params }: Context): Promise<StatementSummary> {
  return rowNamed(params.id, { what: 'statement', list: '/statements?removed=1' }, (id) => archive.statement(id));
}

function verdict({ controls, unparsed, lines }: StatementSummary): Block {
  if (controls.length === 0 && unparsed === 0)
    return noticeBlock('good', `${countOf(lines, 'line')}, each of them read, and it adds up.`);
  const parts = [
    ...(unparsed > 0 ? [`${countOf(unparsed, 'row')} could not be read`] : []),
    ...(controls.length > 0
      ? [
          `${countOf(controls.length, 'total')} of the file ${controls.length === 1 ? 'does' : 'do'} not agree with its lines`,
        ]
      : []),
  ];
  return noticeBlock('bad', `${parts.join('; ')}.`);
}

function facts(one: StatementSummary): Block {
  const links = { Account: addressOf('/statements', { account: one.account.name }) };
  return factsBlock(factsOf(statementFacts(one), one, links));
}

async function linesOf({ archive }: Context, { statement, lines: all }: StatementSummary, query: URLSearchParams) {
  const row = numberIn(query, 'row') ?? null;
  const named = row === null ? null : await archive.lineAt({ statement, row });
  const after = numberIn(query, 'after');
  const place = after === undefined ? null : (String(after) as Cursor);
  const { lines, next } = await archive.statementLines({ statement, after: place, limit: ROWS });
  const isOnPage = lines.some((line) => line.row === row);
  const blocks: Block[] = [
    ...(named === null || isOnPage ? [] : [{ ...linesTable([named.line], `Row ${row}`, row), id: 'named' }]),
    linesTable(lines, 'Lines', row),
    pagesBlock(`/statements/${statement}`, new URLSearchParams(place === null ? {} : { after: place }), {
      ...{ rows: lines, next, total: all },
    }),
  ];
  return blocks;
}

async function profileFile(context: Context): Promise<Download> {
  const { statement, profile } = await found(context);
  const kept = await context.archive.profileOf(statement);
  return { name: `${profile.name}.yaml`, type: 'application/yaml', bytes: kept?.text ?? '' };
}

/** What will happen, before it does: as a second person reads it. */
async function askRemove(context: Context): Promise<Page> {
  const { statement, file } = await found(context);
  const { text, facts } = await happeningOf(context.archive, { act: 'statement.remove', order: { statement } });
  return {
    title: `Remove ${file.name}?`,
    question: 'What happens when this statement is removed?',
    commands: [`tallyhook statements remove ${statement} --yes`],
    trail: [
      { text: 'Statements', href: '/statements' },
      { text: `Statement ${statement}`, href: `/statements/${statement}` },
    ],
    blocks: [
      noticeBlock('warn', text),
      factsBlock(factsOf(facts, null)),
      postForm('remove', `/statements/${statement}/remove`, {
        buttons: [{ label: `Remove statement ${statement}`, as: 'danger' }],
      }),
    ],
  };
}

/** Removes it; where a second person has to approve that, asks. */
async function remove(context: Context): Promise<Answer> {
  const one = await found(context);
  const asked = { act: 'statement.remove', order: { statement: one.statement } } as const;
  return doOrAsk(context, asked, () => removeNow(context, one));
}

async function removeNow(context: Context, { statement, file, lines: all }: StatementSummary): Promise<Redirect> {
  const { operations, visitor, signal, progress } = context;
  const order = { statement, by: visitor.name };
  const parts = { signal, onProgress: (lines: number) => progress(lines, all) };
  const removed = await removeStatement(order, operations.statements, parts);
  if (removed === null) return { to: `/statements/${statement}`, said: `Statement ${statement} was removed already.` };
  const { lines, left, matches } = removed;
  return {
    to: '/statements',
    said: `${file.name} is removed: ${lines} lines are gone, ${left} stay with other statements; ${countOf(matches, 'matched line')} undone.`,
  };
}

export const statementRoutes: readonly Route[] = [
  lightPage('/statements/:id', 'read', show, { row: number('Row'), ...AFTER }),
  lightPage('/statements/:id/profile', 'read', profileFile),
  lightPage('/statements/:id/remove', 'statement.remove', askRemove),
  asideForm('/statements/:id/remove', 'statement.remove', remove),
];
