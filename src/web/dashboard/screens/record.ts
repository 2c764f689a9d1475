import { ENVIRONMENTS, type Environment } from '../../../domain/environment.ts';
import { TallyhookError } from '../../../domain/error.ts';
import { argumentText } from '../../../domain/records/advised-word.ts';
import { RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import { findingColumns } from '../../../lists/findings.ts';
import { DISPUTED_NOTE, fieldLabel, fieldText, isDisputed, recordColumns } from '../../../lists/records.ts';
import type { RecordDetail, RecordSummary } from '../../../store/records.ts';
import type { PlacedLine } from '../../../store/statements.ts';
import type { Standing } from '../../../why/conclusion.ts';
import type { Entry } from '../../../why/entry.ts';
import { type ConcludedStory, type ToldStory, tell } from '../../../why/tell.ts';
import { abridged } from '../../../why/why.ts';
import { recordAddress } from '../address.ts';
import { textIn, wordIn } from '../asked.ts';
import { factsBlock, foldBlock, noticeBlock, sectionBlock, textBlock } from '../blocks.ts';
import { ENVIRONMENT, text } from '../filters.ts';
import { actForm } from '../forms.ts';
import { listTable } from '../list-blocks.ts';
import type { Block, Page, Shown, StoryBlock, Tone } from '../page.ts';
import { asideForm, type Context, lightPage, type Redirect, type Route } from '../route.ts';
import { wordingIn } from '../wording.ts';
import { moneyTable, timeOf, witnesses } from './witnesses.ts';

// What happened, who says so in status and money, what now?

export const recordRoutes: readonly Route[] = [
  lightPage('/records/:kind/:reference', 'read', show, ENVIRONMENT),
  lightPage('/records/:kind', 'read', show, { ...ENVIRONMENT, reference: text('Reference') }),
  asideForm('/records/:kind/:reference/check', 'check', askNow),
];

/** Lines of statements on the page of one record; a payment has a handful. */
const MOST_LINES = 20;
/** Entries of a story on one page; the command line tells all. */
const MOST_ENTRIES = 300;

interface Named {
  readonly kind: RecordKind;
  readonly reference: string;
  readonly environment: Environment | undefined;
}

function namedIn({ params, query, form }: Context): Named {
  const kind = RECORD_KINDS.find((one) => one === params.kind);
  if (kind === undefined)
    throw new TallyhookError(`There is no kind of record ${params.kind}.`, {
      kind: 'not_found',
      hint: 'It is refund, payout or collection.',
    });
  const environment = wordIn(query.has('environment') ? query : form, 'environment', ENVIRONMENTS);
  return { kind, reference: params.reference ?? textIn(query, 'reference') ?? '', environment };
}

async function show(context: Context): Promise<Page> {
  const { archive, config, nowMs, serve } = context;
  const { kind, reference, environment } = namedIn(context);
  const wording = wordingIn(config.timeZone);
  const told = await tell(archive, { kind, reference, environment }, { config, nowMs, wording, serve: serve() });
  const lines = await archive.linesNaming(reference, MOST_LINES);
  return {
    title: `${kind[0]?.toUpperCase()}${kind.slice(1)} ${reference}`,
    question: 'What happened, who says so in status and money, what now?',
    commands: [`tallyhook why ${argumentText(reference)}`, `tallyhook ${kind}s show ${argumentText(reference)}`],
    trail: [{ text: `${kind[0]?.toUpperCase()}${kind.slice(1)}s`, href: `/${kind}s` }],
    regions: ['records', 'findings'],
    blocks: toldBlocks(told, context, { kind, reference, lines }),
  };
}

function toldBlocks(
  { records, refunds, reconciled }: ToldStory,
  context: Context,
  { kind, reference, lines }: Pick<Named, 'kind' | 'reference'> & { readonly lines: readonly PlacedLine[] },
): Block[] {
  const blocks: Block[] = [];
  if (records.length === 0) blocks.push(noticeBlock('warn', `There is no ${kind} ${reference}.`));
  for (const one of records) {
    const own = recordBlocks(one, context, lines);
    const { environment } = one.record;
    if (records.length === 1) blocks.push(...own);
    else blocks.push(sectionBlock(environment, environment, own));
  }
  blocks.push(...refundsBlock(refunds));
  const title = 'Statements that name it, without a record';
  if (reconciled.length > 0) blocks.push(sectionBlock('statements', title, [storyBlock(reconciled)]));
  return blocks;
}

function recordBlocks(
  { record, conclusion, entries, matching }: ConcludedStory,
  context: Context,
  lines: readonly PlacedLine[],
): Block[] {
  const { config, nowMs } = context;
  const times = wordingIn(config.timeZone);
  const own = lines.filter(({ account }) => account.environment === record.environment);
  const blocks: Block[] = [
    noticeBlock(STANDING_TONE[conclusion.standing], conclusion.text, {
      ...(record.findings.length > 0 && { links: [{ text: 'The open findings', href: '#findings' }] }),
    }),
    witnesses(record, own),
    moneyTable(record),
    ...askForm(record, context),
    sectionBlock('findings', 'Open findings', [
      listTable(findingColumns({ reveal: false, nowMs, times }), record.findings, {
        ...{ id: 'finding-list', caption: 'What does not fit together', without: ['Env', 'Record'], head: 'Code' },
        links: { Code: ({ id }) => `/findings/${id}` },
        empty: {
          text: 'None: everything that is known fits together.',
          next: 'The conclusion above says what comes next.',
        },
      }),
    ]),
    sectionBlock('story', 'What happened', storyBlocks(entries)),
    foldBlock('All fields', [factsBlock(fieldFacts(record))]),
  ];
  if (matching.length > 0) {
    const legs = matching.map(({ leg, passes }): Block => {
      return { kind: 'story', entries: passes.map(({ pass, text }) => ({ by: pass, at: leg, text })) };
    });
    blocks.push(foldBlock('How it was matched with statements', legs));
  }
  return blocks;
}

function storyBlocks(entries: readonly Entry[]): Block[] {
  const dropped = entries.length - MOST_ENTRIES;
  if (dropped <= 0) return [storyBlock(entries)];
  const text = `The first ${dropped} entries are left out; the command below tells all.`;
  return [textBlock(text, { tone: 'quiet' }), storyBlock(entries.slice(-MOST_ENTRIES))];
}

const STANDING_TONE = {
  final: 'good',
  watched: 'good',
  settled: 'good',
  open: 'quiet',
  stuck: 'bad',
  unconfirmed: 'warn',
  awaited: 'quiet',
} as const satisfies Record<Standing, Tone>;

function askForm({ kind, reference, environment }: RecordDetail, { may, config }: Context): Block[] {
  // The address of a status check would change by one or two dots, too.
  if (!may('check') || /^\.\.?$/.test(reference)) return [];
  const hasKey = config.keyPairs.some((pair) => pair.environment === environment);
  const missing =
    config.baseUrl === null ? 'baseUrl is not set.' : hasKey ? undefined : `There is no ${environment} key.`;
  return [
    actForm(
      `ask-${environment}`,
      `/records/${kind}/${encodeURIComponent(reference)}/check`,
      { label: 'Ask the service now', disabled: missing },
      [{ type: 'hidden', name: 'environment', value: environment }],
    ),
  ];
}

/** One check of this record, under the lease that every check has. */
async function askNow(context: Context): Promise<Redirect> {
  const { config, operations, clock, signal } = context;
  const named = namedIn(context);
  const { checkParts } = await import('../../../confirm/parts.ts');
  const { sweep } = await import('../../../confirm/sweep.ts');
  const { sweepOrderOf } = await import('../../../confirm/settings.ts');
  const environments = named.environment === undefined ? ENVIRONMENTS : [named.environment];
  const order = { ...sweepOrderOf(config), filter: { kinds: [named.kind], environments, reference: named.reference } };
  const parts = await checkParts(config, operations, { clock, signal, cutOff: signal, onWarning: () => {} });
  const { checked, changed, failed } = await sweep(order, parts);
  const outcomes = Object.keys(failed);
  const said =
    checked === 0
      ? 'Nothing was asked: another process is checking it now, or there is no such record.'
      : outcomes.length > 0
        ? `Asked; there is no usable answer: ${outcomes.join(', ')}.`
        : changed > 0
          ? 'Asked: the service has a newer status, shown here.'
          : 'Asked: the service says what it said before.';
  return { to: recordAddress(named), said };
}

export function storyBlock(entries: readonly Entry[]): StoryBlock {
  return {
    kind: 'story',
    entries: abridged(entries).map(({ atMs, source, text, times, facts }) => ({
      ...{ by: source, at: { ms: atMs } },
      text: times === 1 ? text : `${text} And the same ${times === 2 ? 'once' : `${times - 1} times`} more.`,
      ...(typeof facts.event === 'number' && { href: `/events/${facts.event}` }),
      tone: TONES[source],
    })),
  };
}

const TONES: Readonly<Record<string, Tone>> = {
  incident: 'warn',
  finding: 'warn',
  break: 'warn',
  variant: 'warn',
  status: 'good',
};

function refundsBlock(refunds: readonly RecordSummary[]): Block[] {
  if (refunds.length === 0) return [];
  return [
    sectionBlock('refunds', 'Refunds of this payment', [
      listTable(recordColumns('refund', { reveal: false }), refunds, {
        ...{ id: 'refund-list', caption: 'The oldest first', without: ['Id', 'Transaction', 'Changed'] },
        links: { Reference: recordAddress },
        empty: null,
        note: refunds.some(isDisputed) ? DISPUTED_NOTE : undefined,
      }),
    ]),
  ];
}

function fieldFacts(record: RecordDetail): (readonly [string, Shown])[] {
  const { facts, details, times, environment, effectiveAtMs, firstSeenAtMs, changedAtMs, prunedAtMs, tracked } = record;
  const fields = Object.entries({ ...facts, ...details }).flatMap(([name, value]): (readonly [string, Shown])[] => {
    const text = fieldText(name, value, { reveal: false });
    return text === null ? [] : [[fieldLabel(name), { text, as: /reference$/i.test(name) ? 'id' : 'long' }]];
  });
  const stated = Object.entries(times).flatMap(([name, at]): (readonly [string, Shown])[] =>
    at === null ? [] : [[fieldLabel(name), at.utc === null ? `${at.text} (unreadable)` : timeOf(at.utc)]],
  );
  return [
    ['environment', environment],
    ...fields,
    ...stated,
    ['effective', { ms: effectiveAtMs }],
    ['first seen', { ms: firstSeenAtMs }],
    ['changed', { ms: changedAtMs }],
    ...(prunedAtMs === null ? [] : [['pruned: personal data and bodies', { ms: prunedAtMs }] as const]),
    ...(tracked === null ? [] : [['expected by', { ms: tracked.expectedByMs }] as const]),
  ];
}
