import { type Amount, money, parseAmount, toMinor } from '../../../domain/money/amount.ts';
import { argumentText } from '../../../domain/records/advised-word.ts';
import { RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import { amountText, statusMark } from '../../../lists/records.ts';
import type { RecordSummary } from '../../../store/records.ts';
import { recordAddress } from '../address.ts';
import { textIn } from '../asked.ts';
import type { Block, Page, TableRow } from '../page.ts';
import type { Context, Redirect, Route } from '../route.ts';

// Where is this reference, session id, amount?

export const findRoutes: readonly Route[] = [
  { method: 'GET', path: '/find', act: 'read', weight: 'light', handle: find },
];

/** Of each source, shown at most. */
const MOST = 20;
/** Records of a kind whose amounts are looked at, the latest ones: a window of the store. */
const MOST_LOOKED_AT = 20_000;
const AMOUNT = /^-?\d{1,15}(?:[.,]\d{1,2})?$/;

async function find(context: Context): Promise<Page | Redirect> {
  const { query } = context;
  const asked = textIn(query, 'q', 255);
  if (asked === undefined) return page(asked, [hint()]);
  const rows = [
    ...(await records(context, asked)),
    ...(await events(context, asked)),
    ...(await lines(context, asked)),
    ...(await exceptions(context, asked)),
    ...(await news(context, asked)),
  ];
  const [only] = rows;
  // One place alone: there at once, unless it came back from there.
  if (rows.length === 1 && only !== undefined && hrefOf(only) !== undefined) return { to: hrefOf(only) ?? '/' };
  return page(asked, [
    {
      ...{ kind: 'table', id: 'found', caption: `What has ${asked}`, rows },
      columns: [
        { name: 'Where', as: 'head' },
        { name: 'What' },
        { name: 'Status' },
        { name: 'Amount', as: 'figure' },
        { name: 'When', as: 'day' },
      ],
      empty: {
        text: `Nothing has ${asked}.`,
        next: `References are case-sensitive and whole. The service may know it: tallyhook refunds status ${argumentText(asked)}`,
      },
    },
  ]);
}

function page(asked: string | undefined, blocks: readonly Block[]): Page {
  return {
    title: 'Find',
    question: 'Where is this reference, session id, amount?',
    commands: asked === undefined ? ['tallyhook why REFERENCE'] : [`tallyhook why ${argumentText(asked)}`],
    blocks: [
      {
        ...{ kind: 'form', id: 'find', as: 'filters', method: 'GET', action: '/find' },
        fields: [
          { type: 'search', name: 'q', label: 'Reference, session id or amount', value: asked ?? '', maxLength: 255 },
        ],
        buttons: [{ label: 'Find' }],
      },
      ...blocks,
    ],
  };
}

function hint(): Block {
  return {
    ...{ kind: 'text', tone: 'quiet' },
    text: 'A reference or a session id finds the records, events, lines of statements, exceptions and news that have exactly it; an amount such as 1234.50 finds the latest records, and exceptions.',
  };
}

function hrefOf({ cells: [first] }: TableRow): string | undefined {
  return typeof first === 'object' && first !== null && 'href' in first ? first.href : undefined;
}

async function records({ archive }: Context, asked: string): Promise<TableRow[]> {
  const page = { order: 'newest', limit: MOST } as const;
  const named = await Promise.all(RECORD_KINDS.map((kind) => archive.records(kind, { reference: asked }, page)));
  const amount = AMOUNT.test(asked) ? amountOf(asked) : null;
  const paid = amount === null ? [] : await Promise.all(RECORD_KINDS.map((kind) => latestOf(archive, kind, amount)));
  const found = new Map([...named, ...paid].flat().map((record) => [`${record.kind} ${record.id}`, record]));
  return [...found.values()].map((record) => {
    const { kind, environment, reference, confirmed, reported, effectiveAtMs } = record;
    const status = confirmed ?? reported;
    const tone = statusMark(kind, status);
    return {
      cells: [
        { text: `${kind} ${reference}`, href: recordAddress(record), as: 'id' },
        `${environment}, ${confirmed === null ? 'reported' : 'confirmed'}`,
        status === null ? null : { text: status, as: 'status', tone },
        amountText(record),
        { ms: effectiveAtMs },
      ],
    };
  });
}

/** Records of exactly this amount, among the latest of their kind: no index knows amounts. */
async function latestOf(archive: Context['archive'], kind: RecordKind, amount: Amount): Promise<RecordSummary[]> {
  const [last] = await archive.records(kind, {}, { order: 'newest', limit: 1 });
  if (last === undefined) return [];
  const afterId = Math.max(0, last.id - MOST_LOOKED_AT);
  const found = await archive.records(kind, { amount }, { order: 'oldest', afterId, limit: MOST_LOOKED_AT });
  return found.slice(-MOST).reverse();
}

/** An amount as a person says it, without its sign: `40`, `-40.5`, `40,50`. */
function amountOf(asked: string): Amount {
  return parseAmount(asked.replace('-', '').replace(',', '.'));
}

/** Events that made no record: those that did are on its page. */
async function events({ archive }: Context, reference: string): Promise<TableRow[]> {
  const found = await archive.events(
    { reference, states: ['quarantined', 'unknown'] },
    { order: 'newest', limit: MOST },
  );
  return found.map(({ id, event, environment, status, receivedAtMs }) => ({
    cells: [
      { text: `event ${id}`, href: `/events/${id}` },
      `${event}, ${environment}`,
      status,
      null,
      { ms: receivedAtMs },
    ],
  }));
}

async function lines({ archive }: Context, reference: string): Promise<TableRow[]> {
  const found = await archive.linesNaming(reference, MOST);
  return found.map(({ account, statement, line }) => ({
    cells: [
      { text: `statement ${statement}, row ${line.row}`, href: `/statements/${statement}` },
      `${account.name}, ${line.type?.replaceAll('_', ' ') ?? line.typeText}`,
      null,
      `${money(line.amount)} ${line.currency}`,
      line.date,
    ],
  }));
}

async function exceptions({ archive }: Context, asked: string): Promise<TableRow[]> {
  const named = await archive.exceptionsNaming(asked);
  const minor = AMOUNT.test(asked) ? toMinor(amountOf(asked)) : null;
  const byAmount =
    minor === null ? [] : (await archive.exceptions({ least: minor, most: minor }, { after: null, limit: MOST })).rows;
  return [...named, ...byAmount]
    .slice(0, MOST)
    .map(({ id, code, environment, status, effect, variance, currency, date }) => ({
      cells: [
        { text: `exception ${id.slice(0, 12)}`, href: `/exceptions/${id}` },
        `${code}, ${environment}`,
        status,
        (variance ?? effect) === null ? null : `${variance ?? effect} ${currency ?? ''}`.trim(),
        date,
      ],
    }));
}

async function news({ archive }: Context, asked: string): Promise<TableRow[]> {
  const row = await archive.outboxRow(asked);
  if (row === null) return [];
  return [
    {
      cells: [
        {
          text: `news ${row.webhookId}`,
          href: `/forwarding/news/${encodeURIComponent(row.webhookId)}`,
          as: 'id',
        },
        `${row.type} for ${row.target}`,
        row.state,
        null,
        { ms: row.createdAtMs },
      ],
    },
  ];
}
