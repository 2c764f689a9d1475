import { TallyhookError } from '../../../domain/error.ts';
import { samePerson } from '../../../domain/persons/person.ts';
import { RefusedActError } from '../../../domain/persons/refused-act.ts';
import { text } from '../../../lists/column.ts';
import { checkColumns } from '../../../lists/periods.ts';
import { checkPeriod } from '../../../reconcile/closing/check.ts';
import type { CheckItem, CheckName } from '../../../reconcile/closing/check-items.ts';
import type { PeriodOrder } from '../../../reconcile/closing/facts.ts';
import { namedPeriod } from '../../../reconcile/closing/order.ts';
import { sinceClose } from '../../../reconcile/closing/since-close.ts';
import { countOf } from '../../../reconcile/report/words.ts';
import type { AskedOrder } from '../../../store/approvals.ts';
import type { Closing, KeptPeriod } from '../../../store/periods.ts';
import { addressOf, textIn } from '../asked.ts';
import { doOrAsk } from '../asking.ts';
import { factsBlock, linksBlock, noticeBlock } from '../blocks.ts';
import { problemBlocks, refusalText } from '../failure.ts';
import { listTable } from '../list-blocks.ts';
import type { Block, Page, Shown, TableBlock } from '../page.ts';
import { type Answer, asidePage, type Context, lightPage, type Route } from '../route.ts';
import { actForms, PERIOD_ACTS, type PeriodAct } from './period-acts.ts';
import { changesTable, closingsTable, sinceTable } from './period-since.ts';
import { periodAddress } from './periods.ts';
import { UNAPPROVED_ADDRESS } from './second-person.ts';

/** Records that changed since the run, of which an open period's page looks at most at so many: some 10 ms. */
const MOST_CHANGED = 20_000;

/** The page of one period: what is missing to close it, who signed it, and what came since. */
async function show(context: Context, problem?: string): Promise<Page> {
  const { archive } = context;
  const order = await orderOf(context);
  const { set, period } = order;
  const kept = await archive.period(set.name, period.name);
  const state = kept?.state ?? 'open';
  const check = state === 'open' ? await checkPeriod(archive, order, MOST_CHANGED) : null;
  const { ready, items } = check ?? { ready: false, items: [] };
  const last = kept?.closings.at(-1);
  const report = addressOf(`/reports/${encodeURIComponent(set.name)}/${encodeURIComponent(period.name)}`);
  return {
    title: `Period ${period.name} of ${set.name}`,
    question: 'What is missing to close it, who signed it, and what came since?',
    commands: [`tallyhook period ${state === 'open' ? 'check' : 'show'} ${period.name} --set ${set.name}`],
    trail: [{ text: 'Periods', href: '/periods' }],
    regions: ['periods', 'exceptions'],
    blocks: [
      ...problemBlocks(problem),
      standing(context, { state, ready, items, last, report }),
      ...actForms(context, order, { state, ready, last }),
      ...(state === 'open' ? [itemsTable(order, items)] : []),
      factsBlock(signatures(order, kept, last)),
      linksBlock('Papers', [
        ...(kept === null && check?.facts.run == null
          ? [] // neither is there before the days are reconciled
          : [
              { text: 'Report', href: report },
              { text: 'Proof', href: addressOf('/proof', { set: set.name, period: period.name }) },
            ]),
        { text: 'Its exceptions', href: exceptionsOf(order) },
        ...(state === 'open' ? [] : [{ text: 'What came since', href: `${addressOfPeriod(order)}/since` }]),
      ]),
      ...(last?.changes == null || last.changes.length === 0 ? [] : [changesTable(last.changes)]),
      ...(kept === null || kept.closings.length < 2 ? [] : [closingsTable(kept.closings)]),
    ],
  };
}

/** What came after the close: looks at every record, so it is computed aside. */
async function since(context: Context): Promise<Page> {
  const { archive } = context;
  const order = await orderOf(context);
  const { set, period, dayRule } = order;
  const kept = await archive.period(set.name, period.name);
  const found = kept === null ? [] : await sinceClose(archive, kept, dayRule);
  return {
    title: `Since the close of ${period.name}`,
    question: `What became known of ${period.name} of ${set.name} after its figures were frozen?`,
    commands: [`tallyhook period show ${period.name} --set ${set.name}`],
    trail: [
      { text: 'Periods', href: '/periods' },
      { text: period.name, href: addressOfPeriod(order) },
    ],
    blocks: [sinceTable(found)],
  };
}

function addressOfPeriod({ set, period }: PeriodOrder): string {
  return periodAddress({ set: set.name, period: period.name });
}

function orderOf({ params, archive, config }: Context): Promise<PeriodOrder> {
  return namedPeriod({ period: params.period ?? '', set: params.set }, archive, config);
}

function exceptionsOf({ set, period }: PeriodOrder, more: Readonly<Record<string, string>> = {}): string {
  return addressOf('/exceptions', { environment: set.environment, period: period.name, unresolved: '0', ...more });
}

interface Standing {
  readonly state: KeptPeriod['state'];
  readonly ready: boolean;
  readonly items: readonly CheckItem[];
  readonly last: Closing | undefined;
  readonly report: string;
}

function standing({ visitor }: Context, { state, ready, items, last, report }: Standing): Block {
  const open = items.filter((item) => item.state === 'open').length;
  const unapproved = items.find(({ name }) => name === 'approvals')?.count ?? 0;
  switch (state) {
    case 'open':
      return ready
        ? noticeBlock('good', 'Nothing is missing: it can be closed.')
        : noticeBlock('warn', `It cannot be closed yet: ${countOf(open, 'check')} open.`, {
            ...(unapproved > 0 && {
              next: `${countOf(unapproved, 'resolution')} ${unapproved === 1 ? 'waits' : 'wait'} for another person, who approves what counts as open until then.`,
              links: [{ text: 'Show them', href: UNAPPROVED_ADDRESS }],
            }),
          });
    case 'closed':
      return noticeBlock('warn', `Closed by ${last?.preparer}; it waits for a second signature.`, {
        next:
          last !== undefined && samePerson(last.preparer, visitor.name)
            ? 'You closed it, so another person with the role approver looks at the report and approves it.'
            : 'Look at the report, then approve it.',
        links: [{ text: 'The report as it was frozen', href: report }],
      });
    case 'approved':
      return noticeBlock('good', `Closed by ${last?.preparer}, approved by ${last?.approver}.`, {
        next: 'Lock it when it is never to change again.',
      });
    case 'locked':
      return noticeBlock('good', 'Locked: it never changes again.');
  }
}

interface ShownCheck {
  readonly name: string;
  /** The page on which it is looked at, or settled. */
  readonly where?: readonly [text: string, href: (order: PeriodOrder) => string];
}

const proofOf = ({ set, period }: PeriodOrder) => addressOf('/proof', { set: set.name, period: period.name });
const ofCode = (code: string) => (order: PeriodOrder) => exceptionsOf(order, { code });

const CHECKS: Readonly<Record<CheckName, ShownCheck>> = {
  run: { name: 'Reconciled, with nothing new since' },
  statements: {
    name: 'Every statement is there',
    where: ['Statements', ({ set }) => addressOf('/statements', { environment: set.environment })],
  },
  closing_balance: { name: 'The closing balances agree', where: ['Proof', proofOf] },
  unparsed: { name: 'Every row could be read', where: ['Exceptions', ofCode('unparsed')] },
  control: { name: 'Each file agrees with its own totals', where: ['Exceptions', ofCode('control_mismatch')] },
  unexplained: { name: 'Nothing is unexplained', where: ['Proof', proofOf] },
  exceptions: {
    name: 'Every exception is resolved',
    where: ['Decide them', (order) => exceptionsOf(order, { unresolved: '1' })],
  },
  approvals: {
    name: 'Second persons have approved',
    where: ['Approve them', (order) => exceptionsOf(order, { unresolved: '1', status: 'resolved' })],
  },
  reserves: { name: 'Reserved for refunds', where: ['Proof', (order) => `${proofOf(order)}#reserves`] },
  suggestions: {
    name: 'Suggested matches, and what is not due yet',
    where: ['Confirm them', ({ set }) => addressOf('/matches', { environment: set.environment })],
  },
  late_items: { name: 'Late items of closed periods', where: ['Exceptions', ofCode('late_arrival')] },
  previous_period: { name: 'The period before is closed', where: ['Periods', () => '/periods'] },
};

function itemsTable(order: PeriodOrder, items: readonly CheckItem[]): TableBlock {
  const [, ...columns] = checkColumns();
  const whereOf = ({ name, count }: CheckItem) =>
    count === 0 && name !== 'statements' ? [] : (CHECKS[name].where ?? []);
  const check = text<CheckItem>('Check', ({ name }) => CHECKS[name].name);
  const where = text<CheckItem>('Where', (item) => whereOf(item)[0] ?? null);
  return listTable([check, ...columns, where], items, {
    ...{ id: 'checks', caption: 'What must be right before it is closed', beside: { What: 'Next' }, head: 'Check' },
    links: { Where: (item) => whereOf(item)[1]?.(order) },
    empty: null,
  });
}

function signatures({ period, set }: PeriodOrder, kept: KeptPeriod | null, last: Closing | undefined) {
  const signed = (who: string | null | undefined, atMs: number | null | undefined): Shown =>
    who == null || atMs == null ? null : [{ text: who }, { ms: atMs }];
  const facts = [
    ['Days', `${period.from} to ${period.to}`],
    ['Accounts', set.accounts === null ? `all of ${set.environment}` : set.accounts.join(', ')],
    ['Prepared', signed(last?.preparer, last?.closedAtMs)],
    ['Approved', signed(last?.approver, last?.approvedAtMs)],
    ['Locked', signed(last?.lockedBy, last?.lockedAtMs)],
    ['Opened again', signed(last?.reopenedBy, last?.reopenedAtMs)],
    ['Because', kept?.closings.findLast(({ reason }) => reason !== null)?.reason ?? null],
    ['Digest of the report', last === undefined ? null : { text: last.digest, as: 'digest' }],
    ['Head of the audit', kept?.head == null ? null : { text: kept.head, as: 'digest' }],
  ] satisfies readonly (readonly [string, Shown])[];
  return facts.filter(([, value]) => value !== null);
}

/** Does it, and comes back to the period; what state or person forbids is said there. */
function doing({ name, carryOut }: PeriodAct) {
  return async (context: Context): Promise<Answer> => {
    const order = await orderOf(context);
    const act = async () => {
      const said = await carryOut(context, order);
      return { to: addressOfPeriod(order), said };
    };
    try {
      return name === 'reopen' ? await doOrAsk(context, askedReopening(context, order), act) : await act();
    } catch (error) {
      if (error instanceof RefusedActError) return { ...(await show(context, refusalText(error))), status: 409 };
      if (!(error instanceof TallyhookError) || error.kind !== 'usage') throw error;
      return { ...(await show(context, refusalText(error))), status: 422 };
    }
  };
}

function askedReopening({ form }: Context, { set, period: { name: period, from, to } }: PeriodOrder): AskedOrder {
  return { act: 'period.reopen', order: { set: set.name, period, from, to, reason: textIn(form, 'reason') ?? '' } };
}

export const periodRoutes: readonly Route[] = [
  lightPage('/periods/:set/:period', 'read', (context) => show(context)),
  asidePage('/periods/:set/:period/since', 'read', since),
  ...PERIOD_ACTS.map(
    (one): Route => ({
      ...{ method: 'POST', path: `/periods/:set/:period/${one.name}`, act: one.act, weight: one.weight },
      handle: doing(one),
    }),
  ),
];
