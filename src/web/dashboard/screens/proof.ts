import { TallyhookError } from '../../../domain/error.ts';
import { money } from '../../../domain/money/amount.ts';
import { isBreakCode } from '../../../domain/reconciling/break.ts';
import { PROOF, type ProofRow } from '../../../domain/statements/lines.ts';
import { namedPeriod } from '../../../reconcile/closing/order.ts';
import { isZero, sumOf } from '../../../reconcile/report/decimal.ts';
import type { ReportProof } from '../../../reconcile/report/model.ts';
import { type PrintedReport, periodReport, reportOfRun } from '../../../reconcile/report/shown.ts';
import { bookName } from '../../../reconcile/report/table.ts';
import { figures } from '../../../reconcile/report/tables/chapters.ts';
import type { PageLinks } from '../../../reconcile/report/tables/links.ts';
import { breakName, countOf, signed } from '../../../reconcile/report/words.ts';
import type { FrozenGroup, RunSummary } from '../../../store/runs.ts';
import { addressOf } from '../asked.ts';
import { factsBlock, foldBlock, getForm, linksBlock, noticeBlock, sectionBlock, textBlock } from '../blocks.ts';
import { askedIn, number, period, text } from '../filters.ts';
import type { Block, Page, Shown, TableBlock } from '../page.ts';
import { reportBlocks } from '../report-blocks.ts';
import { type Context, lightPage, type Route } from '../route.ts';

/** Groups that are listed behind one row of the proof; the others are added up. */
const MOST_GROUPS = 25;
/** Rows of the proof whose groups are listed, and groups of all of them together: 60 kB. */
const MOST_BEHIND = 30;
const MOST_GROUPS_IN_ALL = 150;
/** Room for the tables and charts of the report. */
const MOST_BYTES = 65_000;
const MOST_RUNS = 10;

/** The figures of a run, or of a period, and the run that they are of. */
interface ShownProof {
  readonly shown: PrintedReport;
  readonly run: number | null;
  readonly command: string;
}

/** What the address asks for. */
interface Asked {
  readonly period: string | undefined;
  readonly set: string | undefined;
  readonly run: number | undefined;
}

const FILTERS = { period: period('Period'), set: text('Set of accounts'), run: number('Run') };

async function show(context: Context): Promise<Page> {
  const { archive, query, config } = context;
  const { period: days, set, run: number } = askedIn(FILTERS, query, config.timeZone);
  if (set !== undefined && days === undefined)
    throw new TallyhookError(`The set ${JSON.stringify(set)} is asked without a period: it has one for each month.`, {
      kind: 'usage',
      hint: 'Give the period, too, such as 2026-10.',
    });
  const asked = { period: days?.name, set, run: number };
  const last = await archive.lastRun();
  const runs = await archive.runs({ limit: MOST_RUNS, order: 'newest' });
  if (last === null) return proofPage('tallyhook reconcile --from DAY --to DAY', 'no run yet', [NOTHING]);
  const { shown, run, command } = await shownOf(context, asked);
  const { report } = shown;
  const groups = run === null ? null : await archive.frozenGroups(run);
  const chapters = figures(report, shown.signOff, LINKS);
  const ofIds = ['balances', 'in-transit', 'reserves'].flatMap((id) => chapters.filter((one) => one.id === id));
  const [balances, ...others] = reportBlocks(ofIds, { linkOf: (to) => to, mostBytes: MOST_BYTES });
  const unexplained = report.proof.filter((one) => !isZero(one.unexplained));
  return proofPage(command, `${report.from} to ${report.to}`, [
    verdict(report.proof, unexplained),
    chooser(asked, runs),
    ...(balances === undefined ? [] : [balances]),
    sectionBlock(
      'behind',
      'What each difference is made of',
      behindAll(report.proof, groups),
      'Theirs less ours, row by row, and the items behind each. An item leads to its exception.',
    ),
    ...others,
  ]);
}

function proofPage(command: string, days: string, blocks: readonly Block[]): Page {
  return {
    ...{ title: `Proof: ${days}`, blocks, commands: [command], regions: ['exceptions', 'periods'] },
    question: 'Does the money add up, and where is the rest?',
  };
}

const NOTHING: Block = noticeBlock('quiet', 'No days have been reconciled yet.', {
  next: 'Import a statement, then reconcile its days on the page of its period.',
  links: [
    { text: 'Statements', href: '/statements' },
    { text: 'Periods', href: '/periods' },
  ],
});

/** The run or period of the address; without one, the last run. */
async function shownOf({ archive, config }: Context, { period, set, run: number }: Asked): Promise<ShownProof> {
  if (period === undefined) {
    const shown = await reportOfRun(archive, number);
    const run = number ?? (await archive.lastRun())?.run ?? null;
    return { shown, run, command: number === undefined ? 'tallyhook report run' : `tallyhook report run ${number}` };
  }
  const order = await namedPeriod({ period, set }, archive, config);
  const shown = await periodReport(archive, order, { withSince: false });
  const kept = await archive.period(order.set.name, order.period.name);
  const { from, to } = order.period;
  const ofDays = await archive.runOfDays({ environment: order.set.environment, from, to, ...order.dayRule });
  const run = kept !== null && kept.state !== 'open' ? (kept.closings.at(-1)?.run ?? null) : (ofDays?.run ?? null);
  return { shown, run, command: `tallyhook report period ${order.period.name} --set ${order.set.name}` };
}

function verdict(proof: readonly ReportProof[], unexplained: readonly ReportProof[]): Block {
  if (proof.length === 0)
    return noticeBlock('quiet', 'No statement covers these days, so there is no balance to prove.', {
      links: [{ text: 'Statements', href: '/statements' }],
    });
  if (unexplained.length === 0)
    return noticeBlock(
      'good',
      `It adds up: ${countOf(proof.length, 'balance')} explained to 0.00. What differs is made of the items below.`,
    );
  const named = unexplained.map(({ account, currency, unexplained: left }) => `${account} ${currency} ${signed(left)}`);
  return noticeBlock('bad', `Not explained: ${named.join('; ')}.`, {
    next: 'Look for a missing statement, or a wrong opening balance: no item below explains it.',
  });
}

/** Which days are shown, by a period or by one of the last runs. */
function chooser({ period, set, run: shown }: Asked, runs: readonly RunSummary[]): Block {
  return foldBlock(
    'Other days, or another run',
    [
      getForm('period', '/proof', {
        fields: [
          { type: 'text', name: 'period', label: 'Period (2026-10)', value: period },
          { type: 'text', name: 'set', label: 'Set of accounts', value: set },
        ],
        buttons: [{ label: 'Show it', as: 'plain' }],
      }),
      linksBlock(
        'Last runs',
        runs.map(({ run, from, to }) => ({
          text: `Run ${run}: ${from} to ${to}`,
          href: addressOf('/proof', { run }),
          isCurrent: shown === run,
        })),
      ),
    ],
    { id: 'other' },
  );
}

/** Figures lead to the exceptions that they are made of. */
const LINKS: PageLinks = {
  exceptions: ({ environment, currency, code }) =>
    addressOf('/exceptions', { environment, currency: currency ?? undefined, code, unresolved: '0' }),
  explained: {
    exceptions: ({ environment, account, currency }) =>
      addressOf('/exceptions', { environment, account, currency, unresolved: '0' }),
    suggested: ({ environment }) => addressOf('/matches', { environment, state: 'suggested' }),
    timing: () => '#behind',
    carried: ({ environment, account, currency }) =>
      addressOf('/exceptions', { environment, account, currency, unresolved: '0' }),
  },
  item: (id) => ({ exception: `/exceptions/${id}`, story: null }),
};

/** A row of one balance that differs. */
interface Differing {
  readonly of: ReportProof;
  readonly row: ReportProof['rows'][number];
  readonly id: string;
}

function behindAll(proof: readonly ReportProof[], groups: readonly FrozenGroup[] | null): Block[] {
  const all = proof.flatMap((of, at): Differing[] =>
    of.rows
      .filter(({ name, difference }) => name !== 'closing' && !isZero(difference))
      .map((row) => ({ of, row, id: `${at + 1}-${row.name}` })),
  );
  if (all.length === 0) return [textBlock('Both sides say the same in every row.', { tone: 'quiet' })];
  const shown = all.slice(0, MOST_BEHIND);
  const most = Math.min(MOST_GROUPS, Math.floor(MOST_GROUPS_IN_ALL / shown.length));
  const rest = all.length - shown.length;
  const left = `${countOf(rest, 'more row')} of the proof: the files of the report have all.`;
  return [
    ...shown.map((one) => behind(one, groups, most)),
    ...(rest === 0 ? [] : [textBlock(left, { tone: 'quiet' })]),
  ];
}

/** What differs, with the groups of rows of ours and lines that make its difference. */
function behind({ of, row, id }: Differing, groups: readonly FrozenGroup[] | null, most: number): Block {
  const { environment, account, currency } = of;
  const { name, ours, theirs, difference } = row;
  const own = groups?.filter(
    (one) => one.environment === environment && one.account === account && one.currency === currency,
  );
  return foldBlock(
    `${bookName(of, environment)}: ${rowName(name)} ${signed(difference)}`,
    [
      factsBlock([
        ['By us', { amount: ours, currency }],
        ['By the statement', { amount: theirs, currency }],
        ['Difference', { amount: difference, currency, as: 'effect' }],
      ]),
      own === undefined ? TOO_OLD : groupsTable(own, name, { difference, currency, id: `groups-${id}`, most }),
    ],
    { id: `behind-${id}` },
  );
}

const TOO_OLD: Block = textBlock(
  'This run was kept by a version that did not keep its items by row: reconcile its days again.',
  { tone: 'quiet' },
);

function rowName(name: ReportProof['rows'][number]['name']): string {
  return name === 'opening' || name === 'closing' ? name : PROOF[name as ProofRow].name.toLowerCase();
}

interface Behind {
  readonly difference: string;
  readonly currency: string;
  readonly id: string;
  readonly most: number;
}

function groupsTable(own: readonly FrozenGroup[], row: string, { difference, currency, id, most }: Behind): TableBlock {
  const found = own
    .flatMap((group) => {
      const moved = group.rows[row] ?? 0n;
      return moved === 0n ? [] : [{ group, moved }];
    })
    .sort((one, other) => (magnitude(other.moved) > magnitude(one.moved) ? 1 : -1));
  const listed = found.slice(0, most);
  const others = found.slice(most).reduce((sum, { moved }) => sum + moved, 0n);
  const rest = sumOf([difference, ...found.map(({ moved }) => money(-moved))]);
  return {
    ...{ kind: 'table', id, caption: `Behind ${signed(difference)}` },
    columns: [{ name: 'About', as: 'head' }, { name: 'Kind' }, { name: 'In this row', as: 'figure' }, { name: 'Why' }],
    rows: listed.map(({ group, moved }) => ({ cells: groupCells(group, moved, currency) })),
    totals: [
      ...(found.length > most
        ? [totalRow(`${countOf(found.length - most, 'smaller item')}`, money(others), currency)]
        : []),
      ...(isZero(rest) ? [] : [totalRow('Other rows of these days', rest, currency)]),
      totalRow('Difference', difference, currency),
    ],
    empty: {
      text: 'No item of these days makes this difference.',
      next: 'It comes from the opening balance, or from items that were carried from before.',
    },
  };
}

function totalRow(name: string, amount: string, currency: string) {
  return { cells: [name, null, { amount, currency, as: 'effect' } as const, null] };
}

function groupCells({ key, verdicts }: FrozenGroup, moved: bigint, currency: string): Shown[] {
  const [verdict] = verdicts;
  const amount = { amount: money(moved), currency, as: 'effect' } as const;
  if (verdict === undefined) return [key, 'open', amount, null];
  const isException = isBreakCode(verdict.code);
  return [
    isException ? { text: key, href: `/exceptions/${verdict.id}` } : key,
    verdicts.map((one) => breakName(one).replaceAll('_', ' ')).join(', '),
    amount,
    { text: verdicts.map(({ reason }) => reason).join('; '), as: 'long' },
  ];
}

function magnitude(minor: bigint): bigint {
  return minor < 0n ? -minor : minor;
}

export const proofRoutes: readonly Route[] = [lightPage('/proof', 'read', show, FILTERS)];
