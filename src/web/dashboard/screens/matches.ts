import { TallyhookError } from '../../../domain/error.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import { isRecordKind } from '../../../domain/records/lifecycle.ts';
import { countedAmount } from '../../../domain/records/witness-money.ts';
import { text as textColumn } from '../../../lists/column.ts';
import { lineText, matchColumns, matchState } from '../../../lists/matches.ts';
import { decideMatch } from '../../../reconcile/pass/decide-match.ts';
import type { RecordSummary } from '../../../store/records.ts';
import {
  MATCH_STATES,
  type MatchDetail,
  type MatchFilter,
  type MatchSummary,
  type MatchVerdict,
} from '../../../store/runs.ts';
import { localTime } from '../../../time/local-time.ts';
import { recordAddress } from '../address.ts';
import { addressOf, rowNamed, textIn } from '../asked.ts';
import { besideBlock, factsBlock, linksBlock, noticeBlock, postForm } from '../blocks.ts';
import { problemBlocks, refusalText } from '../failure.ts';
import { AFTER, askedIn, ENVIRONMENT, hidden, number, text, word } from '../filters.ts';
import { listPage, listTable } from '../list-blocks.ts';
import type { Block, Empty, Page, TableBlock } from '../page.ts';
import { type Context, lightForm, lightPage, type Redirect, type Route } from '../route.ts';
import { placedFacts, rowAddress } from './statement-lines.ts';

const FILTERS = {
  state: hidden(word('State', MATCH_STATES)),
  ...ENVIRONMENT,
  ...{ reference: text('Reference'), statement: number('Statement'), leg: hidden(text('Leg'), 'value') },
};
const STATES = [
  { text: 'To confirm', state: 'suggested' },
  { text: 'In doubt', state: 'claimed' },
  { text: 'Confirmed', state: 'confirmed' },
] as const;

async function list(context: Context): Promise<Page> {
  const { archive, query, config } = context;
  const { state = 'suggested', ...others } = askedIn(FILTERS, query, config.timeZone);
  const filter: MatchFilter = { states: [state], ...others };
  const { columns, ...table } = matchesList(context, addressOf('/matches', { ...others, state }));
  return listPage(context, {
    title: 'Matches',
    question: 'Which line belongs to which record, and what must a person confirm?',
    ...{ path: '/matches', filters: FILTERS, command: `tallyhook matches list --state ${state}` },
    fields: { state: { type: 'hidden', name: 'state', value: state } },
    trail: [{ text: 'Exceptions', href: '/exceptions' }],
    ...{ regions: ['exceptions'], filter, columns },
    list: { read: archive.matches, count: archive.countMatches, isByIndex: true },
    table: () => table,
    none: NO_MATCH,
    noMatch: 'No match is so.',
    above: [
      linksBlock(
        'States',
        STATES.map(({ text, state: one }) => ({
          ...{ text, isCurrent: one === state },
          href: addressOf('/matches', { ...others, state: one }),
        })),
      ),
    ],
  });
}

const NO_MATCH: Empty = {
  text: 'No line waits for a person.',
  next: 'A suggested match of the next run stands here, to be confirmed or undone.',
};

/** Matches with what a person can say of each; `back`: the address to come back to. */
export function matchesTable(context: Context, matches: readonly MatchSummary[], back: string): TableBlock {
  const { columns, ...table } = matchesList(context, back);
  return listTable(columns, matches, { ...table, empty: NO_MATCH });
}

function matchesList({ may }: Context, back: string) {
  const decide = textColumn<MatchSummary>('Say', () => 'Decide');
  const mayDecide = may('match.confirm') || may('match.undo');
  return {
    columns: [...matchColumns(), ...(mayDecide ? [decide] : [])],
    ...{ id: 'matches', caption: 'Matches', without: ['Id'], head: 'Ours', beside: { Ours: 'Env', Pass: 'Leg' } },
    links: {
      Ours: recordHref,
      Row: ({ statement, row }: MatchSummary) => rowAddress(statement, row),
      Say: ({ id }: MatchSummary) => addressOf(`/matches/${id}`, { back }),
    },
  };
}

/** The record, where the row of ours is one. */
function recordHref({ kind, reference, environment }: MatchSummary): string | undefined {
  return isRecordKind(kind) ? recordAddress({ kind, reference, environment }) : undefined;
}

/** One match, with both sides, to be confirmed or undone. */
async function show(context: Context, problem?: string): Promise<Page> {
  const { archive, query, form } = context;
  const match = await found(context);
  const { statement, row } = match;
  const line = await archive.lineAt({ statement, row });
  const records = isRecordKind(match.kind) ? await archive.record(match.kind, match.reference, match.environment) : [];
  const record = records.find(({ id }) => id === match.recordId);
  const href = recordHref(match);
  return {
    title: `Do they belong together?`,
    question: 'Is this line of the statement this record of ours?',
    commands: [`tallyhook matches confirm ${match.id}`, `tallyhook matches undo ${match.id}`],
    trail: [{ text: 'Matches', href: '/matches' }],
    blocks: [
      ...problemBlocks(problem),
      noticeBlock('quiet', `Found by ${match.pass.replaceAll('_', ' ')} (${match.leg}); it is ${matchState(match)}.`),
      besideBlock([
        {
          title: 'Our records',
          blocks: [
            factsBlock([
              ['Record', { text: `${match.kind} ${match.reference}`, href }],
              ['Confirmed', record?.confirmed ?? null],
              ['Amount', { amount: amountText(record), currency: match.currency }],
              ['Day', { ms: record?.effectiveAtMs ?? null, as: 'day' }],
            ]),
          ],
        },
        {
          title: 'The statement',
          blocks: [factsBlock(placedFacts({ statement, row }, { line, unparsed: null }))],
        },
      ]),
      ...decisionForm(context, match, backOf(form.has('back') ? form : query)),
    ],
  };
}

function amountText(record: RecordSummary | undefined): string | null {
  const amount = record === undefined ? null : countedAmount(record).amount;
  return amount === null ? null : formatAmount(amount);
}

function decisionForm({ may }: Context, { id, state, decision, endedIn }: MatchDetail, back: string): Block[] {
  const canConfirm =
    may('match.confirm') && decision?.verdict !== 'together' && (state !== 'confirmed' || decision !== null);
  const canUndo = may('match.undo') && decision?.verdict !== 'apart' && endedIn === null;
  if (!canConfirm && !canUndo) return [];
  const path = `/matches/${id}`;
  return [
    postForm('decide', `${path}/${canConfirm ? 'confirm' : 'undo'}`, {
      fields: [
        { type: 'text', name: 'comment', label: 'How it is known', hint: 'It is kept beside.', maxLength: 1_000 },
        { type: 'hidden', name: 'back', value: back },
      ],
      buttons: [
        ...(canConfirm ? [{ label: 'They belong together', action: `${path}/confirm` } as const] : []),
        ...(canUndo ? [{ label: 'They do not', action: `${path}/undo`, as: 'plain' } as const] : []),
      ],
      note: 'The next run uses it.',
    }),
  ];
}

function found({ archive, params }: Context): Promise<MatchDetail> {
  return rowNamed(params.id, { what: 'valid match', list: '/matches' }, (id) => archive.match(id));
}

function decider(verdict: MatchVerdict) {
  return async (context: Context): Promise<Page | Redirect> => {
    const { form, visitor, archive, operations, config } = context;
    const { id } = await found(context);
    const order = { id, verdict, by: visitor.name, shown: localTime(config.timeZone) };
    try {
      const said = { ...order, comment: textIn(form, 'comment') ?? null };
      const { match } = await decideMatch(said, archive, operations.runs);
      const what = verdict === 'together' ? 'belongs' : 'does not belong';
      return {
        to: backOf(form),
        said: `R${lineText(match).slice(1)} ${what} to ${match.kind} ${match.reference}. The next run uses it.`,
      };
    } catch (error) {
      if (!(error instanceof TallyhookError) || error.kind !== 'failed') throw error;
      return { ...(await show(context, refusalText(error))), status: 409 };
    }
  };
}

/** Where the form stood: an address of these pages, or the list. */
function backOf(form: URLSearchParams): string {
  const back = form.get('back') ?? '';
  return /^\/(?:matches|exceptions)(?:[/?][\w/?&=.%-]*)?$/.test(back) ? back : '/matches';
}

export const matchRoutes: readonly Route[] = [
  lightPage('/matches', 'read', list, { ...FILTERS, ...AFTER }),
  lightPage('/matches/:id', 'read', (context) => show(context), { back: hidden(text('Back')) }),
  lightForm('/matches/:id/confirm', 'match.confirm', decider('together')),
  lightForm('/matches/:id/undo', 'match.undo', decider('apart')),
];
