import { ENVIRONMENTS } from '../../../domain/environment.ts';
import { TallyhookError } from '../../../domain/error.ts';
import { formatAmount, money } from '../../../domain/money/amount.ts';
import { isRecordKind, RECORD_KINDS } from '../../../domain/records/lifecycle.ts';
import { countedAmount } from '../../../domain/records/witness-money.ts';
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
import { addressOf, numberIn, textIn, wordIn } from '../asked.ts';
import type { Block, Page, Shown, TableBlock } from '../page.ts';
import type { Context, Redirect, Route } from '../route.ts';
import { sentences } from './exception-filter.ts';
import { lineFacts, rowAddress } from './statement-lines.ts';

const ROWS = 50;
const STATES = [
  { text: 'To confirm', state: 'suggested' },
  { text: 'In doubt', state: 'claimed' },
  { text: 'Confirmed', state: 'confirmed' },
] as const;

async function list(context: Context): Promise<Page> {
  const { archive, query } = context;
  const state = wordIn(query, 'state', MATCH_STATES) ?? 'suggested';
  const asked = {
    environment: wordIn(query, 'environment', ENVIRONMENTS),
    reference: textIn(query, 'reference'),
    statement: numberIn(query, 'statement'),
    leg: textIn(query, 'leg'),
  };
  const filter: MatchFilter = {
    states: [state],
    ...(asked.environment !== undefined && { environment: asked.environment }),
    ...(asked.reference !== undefined && { reference: asked.reference }),
    ...(asked.statement !== undefined && { statement: asked.statement }),
    ...(asked.leg !== undefined && { leg: asked.leg }),
  };
  const afterId = numberIn(query, 'after');
  const page = { limit: ROWS, order: 'newest' as const, ...(afterId !== undefined && { afterId }) };
  const matches = await archive.matches(filter, page);
  const last = matches.at(-1);
  return {
    title: 'Matches',
    question: 'Which line belongs to which record, and what must a person confirm?',
    commands: [`tallyhook matches list --state ${state}`],
    trail: [{ text: 'Exceptions', href: '/exceptions' }],
    regions: ['exceptions'],
    blocks: [
      {
        ...{ kind: 'links', label: 'States' },
        links: STATES.map(({ text, state: one }) => ({
          ...{ text, isCurrent: one === state },
          href: addressOf('/matches', { ...asked, state: one }),
        })),
      },
      {
        ...{ kind: 'form', id: 'filter', method: 'GET', action: '/matches', as: 'filters' },
        fields: [
          { type: 'hidden', name: 'state', value: state },
          { type: 'search', name: 'reference', label: 'Reference', value: asked.reference },
          { type: 'number', name: 'statement', label: 'Statement', value: String(asked.statement ?? '') },
        ],
        buttons: [{ label: 'Filter', as: 'plain' }],
      },
      matchesTable(context, matches, addressOf('/matches', { ...asked, state })),
      {
        ...{ kind: 'pages', shown: matches.length, total: await archive.countMatches(filter) },
        first: afterId === undefined ? undefined : addressOf('/matches', { ...asked, state }),
        next:
          matches.length < ROWS || last === undefined
            ? undefined
            : addressOf('/matches', { ...asked, state, after: last.id }),
      },
    ],
  };
}

/** Matches with what a person can say of each; `back`: the address to come back to. */
export function matchesTable({ may }: Context, matches: readonly MatchSummary[], back: string): TableBlock {
  const mayDecide = may('match.confirm') || may('match.undo');
  return {
    ...{ kind: 'table', id: 'matches', caption: 'Matches' },
    columns: [
      { name: 'Ours', as: 'head' },
      { name: 'Line' },
      { name: 'Date', as: 'day' },
      { name: 'Amount', as: 'figure' },
      { name: 'Found by' },
      { name: 'Leg', leaveOut: 1 },
      { name: 'State' },
      { name: 'Say' },
    ],
    rows: matches.map((match) => ({
      cells: [
        oursShown(match),
        { text: `row ${match.row} of statement ${match.statement}`, href: rowAddress(match.statement, match.row) },
        match.date,
        { amount: money(match.amount), currency: match.currency, as: 'effect' },
        match.pass.replaceAll('_', ' '),
        match.leg,
        { text: stateText(match), as: 'status', tone: match.state === 'confirmed' ? 'good' : 'warn' },
        mayDecide ? { text: 'Decide', href: addressOf(`/matches/${match.id}`, { back }) } : null,
      ],
    })),
    empty: {
      text: 'No line waits for a person.',
      next: 'A suggested match of the next run stands here, to be confirmed or undone.',
    },
  };
}

function oursShown({ kind, reference, environment }: MatchSummary): Shown {
  const ours = RECORD_KINDS.find((one) => one === kind);
  const text = `${kind.replaceAll('_', ' ')} ${reference}`;
  if (ours === undefined) return text;
  return { text, href: `/records/${ours}/${encodeURIComponent(reference)}?${new URLSearchParams({ environment })}` };
}

/** How it stands, or what the next run makes of it. */
function stateText({ state, decision }: MatchSummary): string {
  if (decision === null) return state;
  return `${decision.verdict === 'together' ? 'confirmed' : 'undone'} by ${decision.by}`;
}

/** One match, with both sides, to be confirmed or undone. */
async function show(context: Context, problem?: string): Promise<Page> {
  const { archive, query, form } = context;
  const match = await found(context);
  const { statement, row } = match;
  const line = await archive.lineAt({ statement, row });
  const records = isRecordKind(match.kind) ? await archive.record(match.kind, match.reference, match.environment) : [];
  const record = records.find(({ id }) => id === match.recordId);
  return {
    title: `Do they belong together?`,
    question: 'Is this line of the statement this record of ours?',
    commands: [`tallyhook matches confirm ${match.id}`, `tallyhook matches undo ${match.id}`],
    trail: [{ text: 'Matches', href: '/matches' }],
    blocks: [
      ...(problem === undefined ? [] : [{ kind: 'notice', tone: 'bad', text: problem } as const]),
      {
        kind: 'notice',
        tone: 'quiet',
        text: `Found by ${match.pass.replaceAll('_', ' ')} (${match.leg}); it is ${stateText(match)}.`,
      },
      {
        kind: 'beside',
        parts: [
          {
            title: 'Our records',
            blocks: [
              {
                kind: 'facts',
                facts: [
                  ['Record', oursShown(match)],
                  ['Confirmed', record?.confirmed ?? null],
                  ['Amount', { amount: amountText(record), currency: match.currency }],
                  ['Day', { ms: record?.effectiveAtMs ?? null, as: 'day' }],
                ],
              },
            ],
          },
          {
            title: 'The statement',
            blocks: [{ kind: 'facts', facts: lineFacts({ statement, row }, { line, unparsed: null }) }],
          },
        ],
      },
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
    {
      ...{ kind: 'form', id: 'decide', method: 'POST', action: `${path}/${canConfirm ? 'confirm' : 'undo'}` },
      fields: [
        { type: 'text', name: 'comment', label: 'How it is known', hint: 'It is kept beside.', maxLength: 1_000 },
        { type: 'hidden', name: 'back', value: back },
      ],
      buttons: [
        ...(canConfirm ? [{ label: 'They belong together', action: `${path}/confirm` } as const] : []),
        ...(canUndo ? [{ label: 'They do not', action: `${path}/undo`, as: 'plain' } as const] : []),
      ],
      note: 'The next run uses it.',
    },
  ];
}

/** @throws TallyhookError when there is none of this number */
async function found({ archive, params }: Context): Promise<MatchDetail> {
  const id = /^[1-9]\d{0,14}$/.test(params.id ?? '') ? Number(params.id) : null;
  const match = id === null ? null : await archive.match(id);
  if (match !== null) return match;
  const hint = 'Those that are valid are in the list: /matches';
  throw new TallyhookError(`There is no match ${JSON.stringify(params.id)}, or its line was removed.`, {
    kind: 'not_found',
    hint,
  });
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
        said: `Row ${match.row} of statement ${match.statement} ${what} to ${match.kind} ${match.reference}. The next run uses it.`,
      };
    } catch (error) {
      if (!(error instanceof TallyhookError) || error.kind !== 'failed') throw error;
      return { ...(await show(context, sentences(error))), status: 409 };
    }
  };
}

/** Where the form stood: an address of these pages, or the list. */
function backOf(form: URLSearchParams): string {
  const back = form.get('back') ?? '';
  return /^\/(?:matches|exceptions)(?:[/?][\w/?&=.%-]*)?$/.test(back) ? back : '/matches';
}

export const matchRoutes: readonly Route[] = [
  { method: 'GET', path: '/matches', act: 'read', weight: 'light', handle: list },
  { method: 'GET', path: '/matches/:id', act: 'read', weight: 'light', handle: (context) => show(context) },
  { method: 'POST', path: '/matches/:id/confirm', act: 'match.confirm', weight: 'light', handle: decider('together') },
  { method: 'POST', path: '/matches/:id/undo', act: 'match.undo', weight: 'light', handle: decider('apart') },
];
