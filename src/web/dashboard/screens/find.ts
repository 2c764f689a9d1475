import { argumentText } from '../../../domain/records/advised-word.ts';
import { RECORD_KINDS } from '../../../domain/records/lifecycle.ts';
import { amountText, statusMark } from '../../../lists/records.ts';
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
    text: 'A reference or a session id finds the records, events, lines of statements, exceptions and news that have exactly it; an amount such as 1234.50 finds exceptions.',
  };
}

function hrefOf({ cells: [first] }: TableRow): string | undefined {
  return typeof first === 'object' && first !== null && 'href' in first ? first.href : undefined;
}

async function records({ archive }: Context, reference: string): Promise<TableRow[]> {
  const found = await Promise.all(
    RECORD_KINDS.map((kind) => archive.records(kind, { reference }, { order: 'newest', limit: MOST })),
  );
  return found.flat().map((record) => {
    const { kind, environment, confirmed, reported, effectiveAtMs } = record;
    const status = confirmed ?? reported;
    const tone = statusMark(kind, status);
    return {
      cells: [
        { text: `${kind} ${reference}`, href: recordAddress(record), as: 'id' },
        `${environment}, ${confirmed === null ? 'reported' : 'confirmed'}`,
        status === null ? null : { text: status, as: 'status', ...(tone !== undefined && { tone }) },
        amountText(record),
        { ms: effectiveAtMs },
      ],
    };
  });
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
      `${line.amount / 100n}.${String(line.amount % 100n)
        .replace('-', '')
        .padStart(2, '0')} ${line.currency}`,
      line.date,
    ],
  }));
}

async function exceptions({ archive }: Context, asked: string): Promise<TableRow[]> {
  const named = await archive.exceptionsNaming(asked);
  const minor = AMOUNT.test(asked) ? minorOf(asked) : null;
  const byAmount =
    minor === null ? [] : (await archive.exceptions({ least: minor, most: minor }, { after: null, limit: MOST })).rows;
  return [...named, ...byAmount]
    .slice(0, MOST)
    .map(({ id, code, environment, status, effect, variance, currency, date }) => ({
      cells: [
        { text: `exception ${id.slice(0, 12)}`, href: `/exceptions/${id}` },
        `${code}, ${environment}`,
        status,
        (variance ?? effect === null) ? null : `${variance ?? effect} ${currency ?? ''}`.trim(),
        date,
      ],
    }));
}

function minorOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split(/[.,]/);
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'));
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
