import { formatAmount, money, toMinor } from '../../../domain/money/amount.ts';
import { argumentText } from '../../../domain/records/advised-word.ts';
import { RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import { countedAmount } from '../../../domain/records/witness-money.ts';
import { amountText, statusMark } from '../../../lists/records.ts';
import { counted } from '../../../reconcile/report/words.ts';
import type { Archive } from '../../../store/archive.ts';
import type { RecordSummary } from '../../../store/records.ts';
import { recordAddress } from '../address.ts';
import { addressOf, textIn } from '../asked.ts';
import { getForm, textBlock } from '../blocks.ts';
import { text } from '../filters.ts';
import { given } from '../forms.ts';
import { figureOf, lookedPage, MOST_LOOKED } from '../list-blocks.ts';
import type { Block, Page, Shown, TableRow } from '../page.ts';
import { type Context, lightPage, type Redirect, type Route } from '../route.ts';
import { type TypedAmount, typedAmount } from '../typed-amount.ts';
import { recordList } from './records.ts';

// Where is this reference, session id, amount?

export const findRoutes: readonly Route[] = [lightPage('/find', 'read', find, { q: text('Asked') })];

/** Of each source, shown at most. */
const MOST = 20;

async function find(context: Context): Promise<Page | Redirect> {
  const { query } = context;
  const asked = textIn(query, 'q', 255);
  if (asked === undefined) return page(['tallyhook why REFERENCE'], asked, [hint()]);
  const amount = typedAmount(asked);
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
    ...(amount !== null ? [readAs(amount)] : []),
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
      empty: { text: `Nothing has ${asked}.`, next: nothingNext(asked, amount) },
    },
  ]);
}

/** Says what a text was taken for. */
function readAs(typed: TypedAmount): Block {
  const kinds = kindsOf(typed).map((kind) => `${kind}s`);
  const text = `As an amount, these were looked for: ${[...kinds, 'exceptions'].join(', ')} of ${amountWords(typed)}.`;
  return textBlock(text, { tone: 'quiet' });
}

/** Says how far the search by an amount went, and leads to the lists that go on from there. */
function partOf(typed: TypedAmount): Block {
  const { amount, currency } = typed;
  return textBlock(
    `By an amount, the latest ${counted(MOST_LOOKED)} of each kind were looked at, and ${MOST} of each are shown at most. The lists look further back:`,
    {
      tone: 'quiet',
      links: kindsOf(typed).map((kind) => ({
        text: `${kind}s of ${formatAmount(amount)}`,
        href: addressOf(`/${kind}s`, { amount: formatAmount(amount), currency }),
      })),
    },
  );
}

function kindsOf({ kind }: TypedAmount): readonly RecordKind[] {
  return kind === undefined ? RECORD_KINDS : [kind];
}

function amountWords({ amount, currency, currencies }: TypedAmount): string {
  if (currencies !== undefined) return `${formatAmount(amount)} in ${currencies.join(', ')}`;
  return currency === undefined ? `${formatAmount(amount)} in any currency` : `${formatAmount(amount)} ${currency}`;
}

/** Whether a row of this currency is asked for; one without a currency may be. */
function isOf({ currencies }: TypedAmount, currency: string | null): boolean {
  return currencies === undefined || currency === null || currencies.includes(currency);
}

/** What to do where nothing was found. A text with blanks is a sentence: the service knows no such reference. */
function nothingNext(asked: string, typed: TypedAmount | null): string {
  const rule = 'References are case-sensitive and whole';
  if (typed !== null) return `${rule}, and an amount is exact: 40 does not find 40.50.`;
  const isSentence = /\s/.test(asked);
  const unread = `${rule}. This was not read as an amount: write one, such as 1,234.50, 40 USD or refund 40 dollars.`;
  if (isSentence) return unread;
  const known = `The service may know it: tallyhook refunds status ${argumentText(asked)}`;
  return /^[\d.,]+$/.test(asked) ? `${unread} ${known}` : `${rule}. ${known}`;
}

function commandsOf(asked: string, amount: TypedAmount | null): string[] {
  const why = [`tallyhook why ${argumentText(asked)}`];
  if (amount === null) return why;
  const options = `--amount ${formatAmount(amount.amount)}${amount.currency === undefined ? '' : ` --currency ${amount.currency}`}`;
  return [...(/\s/.test(asked) ? [] : why), ...kindsOf(amount).map((kind) => `tallyhook ${kind}s list ${options}`)];
}

function page(commands: readonly string[], asked: string | undefined, blocks: readonly Block[]): Page {
  return {
    title: 'Find',
    question: 'Where is this reference, session id, amount?',
    commands,
    blocks: [
      getForm('find', '/find', {
        fields: [
          { type: 'search', name: 'q', label: 'Reference, session id or amount', value: asked ?? '', maxLength: 255 },
        ],
        buttons: [{ label: 'Find' }],
      }),
      ...blocks,
    ],
  };
}

function hint(): Block {
  return textBlock(
    'A reference or a session id finds the records, events, lines of statements, exceptions and news that have exactly it; an amount such as 1,234.50, $40, 40 USD or refund 40 dollars finds the latest records, and exceptions.',
    { tone: 'quiet' },
  );
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
  typed: TypedAmount,
): Promise<{ readonly found: RecordSummary[]; readonly isPart: boolean }> {
  const filter = { amount: typed.amount, ...given({ currency: typed.currency }) };
  const kinds = await Promise.all(
    kindsOf(typed).map(async (kind) => {
      const page = await lookedPage(new URLSearchParams(), filter, recordList(archive, kind, false));
      return { ...page, rows: page.rows.filter((record) => isOf(typed, countedAmount(record).currency)) };
    }),
  );
  return {
    found: kinds.flatMap(({ rows }) => rows.slice(0, MOST)),
    isPart: kinds.some(({ rows, next }) => next !== null || rows.length > MOST),
  };
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

async function exceptions({ archive }: Context, asked: string, typed: TypedAmount | null): Promise<TableRow[]> {
  const named = await archive.exceptionsNaming(asked);
  const byAmount = typed === null ? [] : await exceptionsOf(archive, typed);
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

/** Exceptions about exactly this amount. */
async function exceptionsOf(archive: Archive, typed: TypedAmount) {
  const { amount, currency } = typed;
  const [least, most] = [toMinor(amount), toMinor(amount)];
  const { rows } = await archive.exceptions({ least, most, ...given({ currency }) }, { after: null, limit: MOST });
  return rows.filter((row) => isOf(typed, row.currency));
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
