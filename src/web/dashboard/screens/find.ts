import { type Amount, formatAmount, money, parseAmount, toMinor } from '../../../domain/money/amount.ts';
import { argumentText } from '../../../domain/records/advised-word.ts';
import { RECORD_KINDS } from '../../../domain/records/lifecycle.ts';
import { amountText, statusMark } from '../../../lists/records.ts';
import { counted } from '../../../reconcile/report/words.ts';
import type { RecordSummary } from '../../../store/records.ts';
import { recordAddress } from '../address.ts';
import { addressOf, textIn } from '../asked.ts';
import { text } from '../filters.ts';
import { given } from '../forms.ts';
import { figureOf, lookedPage, MOST_LOOKED } from '../list-blocks.ts';
import type { Block, Page, Shown, TableRow } from '../page.ts';
import type { Context, Redirect, Route } from '../route.ts';
import { recordList } from './records.ts';

// Where is this reference, session id, amount?

export const findRoutes: readonly Route[] = [
  { method: 'GET', path: '/find', act: 'read', weight: 'light', asks: { q: text('Asked') }, handle: find },
];

/** Of each source, shown at most. */
const MOST = 20;
const AMOUNT =
  /^(?:[$€£] ?|(?<before>[A-Z]{3}) |-)?(?<digits>\d{1,15}(?:[.,]\d{1,2})?)(?: ?[$€£]| ?(?<after>[A-Z]{3}))?$/;

/** An amount without its sign, as a person says it: `40`, `-40.5`, `40,50`, `$40`, `40 USD`. */
interface AskedAmount {
  readonly amount: Amount;
  /** Missing: of any currency. */
  readonly currency?: string;
}

async function find(context: Context): Promise<Page | Redirect> {
  const { query } = context;
  const asked = textIn(query, 'q', 255);
  if (asked === undefined) return page(['tallyhook why REFERENCE'], asked, [hint()]);
  const amount = amountOf(asked);
  const paid = amount === null ? { found: [], isPart: false } : await ofAmount(context, amount);
  const rows = [
    ...(await records(context, asked, paid.found)),
    ...(await events(context, asked)),
    ...(await lines(context, asked)),
    ...(await exceptions(context, asked, amount)),
    ...(await news(context, asked)),
  ];
  const [only] = rows;
  // One place alone: there at once, unless it came back from there.
  if (rows.length === 1 && !paid.isPart && only !== undefined && hrefOf(only) !== undefined)
    return { to: hrefOf(only) ?? '/' };
  return page(commandsOf(asked, amount), asked, [
    ...(amount !== null && paid.isPart ? [partOf(amount)] : []),
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

/** Says how far the search by an amount went, and leads to the lists that go on from there. */
function partOf({ amount, currency }: AskedAmount): Block {
  return {
    ...{ kind: 'text', tone: 'quiet' },
    text: `By an amount, the latest ${counted(MOST_LOOKED)} of each kind were looked at, and ${MOST} of each are shown at most. The lists look further back:`,
    links: RECORD_KINDS.map((kind) => ({
      text: `${kind}s of ${formatAmount(amount)}`,
      href: addressOf(`/${kind}s`, { amount: formatAmount(amount), currency }),
    })),
  };
}

function commandsOf(asked: string, amount: AskedAmount | null): string[] {
  const why = `tallyhook why ${argumentText(asked)}`;
  if (amount === null) return [why];
  const options = `--amount ${formatAmount(amount.amount)}${amount.currency === undefined ? '' : ` --currency ${amount.currency}`}`;
  return [why, ...RECORD_KINDS.map((kind) => `tallyhook ${kind}s list ${options}`)];
}

function page(commands: readonly string[], asked: string | undefined, blocks: readonly Block[]): Page {
  return {
    title: 'Find',
    question: 'Where is this reference, session id, amount?',
    commands,
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
    text: 'A reference or a session id finds the records, events, lines of statements, exceptions and news that have exactly it; an amount such as 1234.50, $40 or 40 USD finds the latest records, and exceptions.',
  };
}

function hrefOf({ cells: [first] }: TableRow): string | undefined {
  return typeof first === 'object' && first !== null && 'href' in first ? first.href : undefined;
}

async function records({ archive }: Context, asked: string, paid: readonly RecordSummary[]): Promise<TableRow[]> {
  const page = { order: 'newest', limit: MOST } as const;
  const named = await Promise.all(RECORD_KINDS.map((kind) => archive.records(kind, { reference: asked }, page)));
  const found = new Map([...named.flat(), ...paid].map((record) => [`${record.kind} ${record.id}`, record]));
  return [...found.values()].map((record) => {
    const { kind, environment, reference, confirmed, reported, effectiveAtMs } = record;
    const status = confirmed ?? reported;
    const tone = statusMark(kind, status);
    return {
      cells: [
        { text: `${kind} ${reference}`, href: recordAddress(record), as: 'id' },
        `${environment}, ${confirmed === null ? 'reported' : 'confirmed'}`,
        status === null ? null : { text: status, as: 'status', tone },
        shownAmount(amountText(record)),
        { ms: effectiveAtMs },
      ],
    };
  });
}

/** Records of exactly this amount among the latest of each kind; `isPart`: there may be more. */
async function ofAmount(
  { archive }: Context,
  amount: AskedAmount,
): Promise<{ readonly found: RecordSummary[]; readonly isPart: boolean }> {
  const kinds = await Promise.all(
    RECORD_KINDS.map((kind) => lookedPage(new URLSearchParams(), amount, recordList(archive, kind, false))),
  );
  return {
    found: kinds.flatMap(({ rows }) => rows.slice(0, MOST)),
    isPart: kinds.some(({ rows, next }) => next !== null || rows.length > MOST),
  };
}

function amountOf(asked: string): AskedAmount | null {
  const { before, digits, after } = AMOUNT.exec(asked)?.groups ?? {};
  if (digits === undefined) return null;
  return { amount: parseAmount(digits.replace(',', '.')), ...given({ currency: before ?? after }) };
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
      figureOf(`${money(line.amount)} ${line.currency}`),
      line.date,
    ],
  }));
}

async function exceptions({ archive }: Context, asked: string, amount: AskedAmount | null): Promise<TableRow[]> {
  const named = await archive.exceptionsNaming(asked);
  const minor = amount === null ? null : toMinor(amount.amount);
  const byAmount =
    minor === null ? [] : (await archive.exceptions({ least: minor, most: minor }, { after: null, limit: MOST })).rows;
  return [...named, ...byAmount]
    .slice(0, MOST)
    .map(({ id, code, environment, status, effect, variance, currency, date }) => ({
      cells: [
        { text: `exception ${id.slice(0, 12)}`, href: `/exceptions/${id}` },
        `${code.replaceAll('_', ' ')}, ${environment}`,
        status,
        shownAmount(variance ?? effect, currency),
        date,
      ],
    }));
}

function shownAmount(amount: string | null, currency: string | null = null): Shown {
  return amount === null ? null : figureOf(amount, { currency });
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
