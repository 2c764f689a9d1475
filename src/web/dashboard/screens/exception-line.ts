import type { NamedLine } from '../../../domain/exceptions/words.ts';
import { actOnExceptions } from '../../../reconcile/exceptions/act.ts';
import { breakSubject } from '../../../reconcile/exceptions/words.ts';
import type { Exception, ExceptionAct } from '../../../store/exceptions.ts';
import type { MatchSummary } from '../../../store/runs.ts';
import { addressOf, textIn } from '../asked.ts';
import { factsBlock, linksBlock, postForm, sectionBlock } from '../blocks.ts';
import { refusalText } from '../failure.ts';
import type { Block, Field, Page } from '../page.ts';
import type { Answer, Context } from '../route.ts';
import { matchesTable } from './matches.ts';
import { placedFacts, rowAddress } from './statement-lines.ts';

// Which line an exception could be, and what a person says of it.

/** Lines and records that it could be: those that the run named, and suggested matches of the reference. */
export async function couldBe(context: Context, one: Exception): Promise<Block[]> {
  const { archive, may } = context;
  const { reference, environment } = one;
  const suggested: MatchSummary[] =
    reference === null
      ? []
      : await archive.matches(
          { reference, environment, states: ['suggested', 'claimed'] },
          { limit: 20, order: 'newest' },
        );
  const mayMatch = may('exception.resolve') && one.status !== 'closed' && one.status !== 'resolved';
  if (one.candidates.length === 0 && suggested.length === 0 && !mayMatch) return [];
  return [
    sectionBlock('candidates', 'Which line could it be?', [
      ...(one.candidates.length === 0 ? [] : [candidatesTable(one, mayMatch)]),
      ...(suggested.length === 0 ? [] : [matchesTable(context, suggested, `/exceptions/${one.id}`)]),
      ...(mayMatch ? [sayLink(one)] : []),
    ]),
  ];
}

function sayLink({ id }: Exception): Block {
  return linksBlock('Another line', [{ text: 'Say which line it is', href: `/exceptions/${id}/line` }]);
}

function candidatesTable(one: Exception, mayMatch: boolean): Block {
  return {
    ...{ kind: 'table', id: 'candidate', caption: 'Named by the run' },
    columns: [{ name: 'Candidate', as: 'head' }, { name: 'Where' }, { name: 'Say' }],
    rows: one.candidates.map((text) => {
      const [, statement, row, rest] = /^(\d+):(\d+) (.*)$/.exec(text) ?? [];
      if (statement === undefined || row === undefined) return { cells: [text, null, null] };
      const where = { text: `row ${row} of statement ${statement}`, href: rowAddress(Number(statement), Number(row)) };
      const say = { text: 'This one', href: addressOf(`/exceptions/${one.id}/line`, { line: `${statement}:${row}` }) };
      return { cells: [rest ?? text, where, mayMatch ? say : null] };
    }),
    empty: {
      text: 'The run named no line that it could be.',
      next: 'Look in the statement, and give its row as STATEMENT:ROW.',
      links: [{ text: 'Statements', href: '/statements' }],
    },
  };
}

/** Asks which line belongs to it, or does not; the address may name one. */
export async function linePage(context: Context, one: Exception, problem?: string): Promise<Page> {
  const { archive, query, form } = context;
  const text = form.get('line') ?? query.get('line') ?? '';
  const named = lineOf(text);
  const line = named === null ? null : await archive.lineAt(named);
  const subject = breakSubject(one) ?? one.id;
  const fields: Field[] = [
    { type: 'hidden', name: 'version', value: String(one.version) },
    {
      ...{ type: 'radios', name: 'resolution', label: 'Line and record', value: form.get('resolution') ?? 'match' },
      options: [
        { value: 'match', label: 'belong together' },
        { value: 'undo_match', label: 'do not belong together' },
      ],
    },
    {
      ...{ type: 'text', name: 'line', label: 'Line, as STATEMENT:ROW', value: text },
      hint: 'Such as 3:17; both stand on the page of the statement. Without one, all lines that are matched are meant.',
    },
    { type: 'text', name: 'comment', label: 'How it is known', value: form.get('comment') ?? '', maxLength: 1_000 },
  ];
  return {
    title: `Which line belongs to ${subject}?`,
    question: 'Which line of a statement is it?',
    commands: [`tallyhook exceptions resolve ${one.id} --resolution match --line STATEMENT:ROW`],
    trail: [
      { text: 'Exceptions', href: '/exceptions' },
      { text: subject, href: `/exceptions/${one.id}` },
    ],
    blocks: [
      ...(named === null ? [] : [factsBlock(placedFacts(named, { line, unparsed: null }))]),
      postForm('line', `/exceptions/${one.id}/line`, {
        fields,
        buttons: [{ label: 'Keep it' }],
        note: 'It changes the matching: the next run uses it, and closes the exception where it settles it.',
        problem,
      }),
    ],
  };
}

function lineOf(text: string): NamedLine | null {
  const [, statement, row] = /^(\d{1,15}):(\d{1,15})$/.exec(text.trim()) ?? [];
  return statement === undefined || row === undefined ? null : { statement: Number(statement), row: Number(row) };
}

/** Keeps which line belongs to it, or does not. */
export async function nameLine(context: Context, one: Exception): Promise<Answer> {
  const { form, visitor, operations, config } = context;
  const resolution = form.get('resolution') === 'undo_match' ? 'undo_match' : 'match';
  const text = textIn(form, 'line');
  const named = text === undefined ? null : lineOf(text);
  if (text !== undefined && named === null) {
    const problem = `The line ${JSON.stringify(text)} is no STATEMENT:ROW, such as 3:17.`;
    return { ...(await linePage(context, one, problem)), status: 422 };
  }
  const act: ExceptionAct = {
    ...{ id: one.id, version: Number(form.get('version')), by: visitor.name, act: 'resolve', resolution },
    ...{ reasonCode: null, reference: null, followUp: null, attachments: [] },
    comment: textIn(form, 'comment') ?? null,
    lines: named === null ? [] : [named],
  };
  const rules = { reasons: config.exceptions.reasons, accountSets: Object.values(config.periods.sets) };
  const [result] = await actOnExceptions({ acts: [act], ...rules }, operations.exceptions);
  if (result?.outcome !== 'refused') return { to: `/exceptions/${one.id}`, said: 'Kept. The next run uses it.' };
  return { ...(await linePage(context, one, refusalText(result))), status: 409 };
}
