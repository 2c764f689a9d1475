import type { GuardedAct } from '../../../domain/access/approval.ts';
import { samePerson } from '../../../domain/persons/person.ts';
import { accountText } from '../../../reconcile/import/words.ts';
import { countOf } from '../../../reconcile/report/words.ts';
import type { AskedOrder, KnownRequest } from '../../../store/approvals.ts';
import { addressOf } from '../asked.ts';
import type { Block, Link, Shown } from '../page.ts';
import type { Context } from '../route.ts';
import { newsAddress } from './forwarding-choice.ts';
import { periodAddress } from './periods.ts';

// What will happen when a request is approved and carried out, by what it is about now.

/** A sentence, and what it rests on. */
interface Happening {
  readonly text: string;
  readonly facts: readonly (readonly [string, Shown])[];
}

type OrderOf<Act extends GuardedAct> = Extract<AskedOrder, { readonly act: Act }>['order'];

/** Rows that are named; the list below has the others. */
const MOST_NAMED = 10;

const HAPPENING: { readonly [Act in GuardedAct]: (context: Context, order: OrderOf<Act>) => Promise<Happening> } = {
  async replay(_, { target, eventIds }) {
    return {
      text: `${target} gets news of ${countOf(eventIds.length, 'event')} once more, under new ids. It must know each by its record.`,
      facts: [
        ['To', { text: target, href: addressOf('/forwarding', { target }) }],
        ['Events', named(eventIds, (id) => ({ text: `event ${id}`, href: `/events/${id}` }))],
      ],
    };
  },
  async 'outbox.drop'(_, { webhookIds }) {
    return {
      text: `Your application never gets ${countOf(webhookIds.length, 'row')} of the outbox: each is given up.`,
      facts: [['News', named(webhookIds, (id) => ({ text: id, href: newsAddress(id) }))]],
    };
  },
  async 'target.enable'({ archive }, { target }) {
    const known = (await archive.targets()).find(({ name }) => name === target);
    const { waiting = 0, failing = 0, dead = 0 } = known?.states ?? {};
    return {
      text: `News goes to ${target} again, beginning with what waits.`,
      facts: [
        ['Target', { text: target, href: addressOf('/forwarding', { target }) }],
        ['Waits for it', { count: waiting + failing }],
        ['Dead, which stay so', { count: dead }],
      ],
    };
  },
  async 'statement.remove'({ archive }, { statement }) {
    const [one, matches] = [await archive.statement(statement), await archive.countMatches({ statement })];
    return {
      text: 'Its lines count no more, and its days must be reconciled again. The file can be imported again.',
      facts:
        one === null
          ? []
          : [
              ['The file', { text: one.file.name, href: `/statements/${statement}` }],
              ['Of the account', accountText(one.account)],
              ['Lines that count no more', { count: one.lines }],
              ['Matches that end', { count: matches }],
            ],
    };
  },
  async 'period.reopen'({ archive }, { set, period, reason }) {
    const kept = await archive.period(set, period);
    const last = kept?.closings.at(-1);
    return {
      text: 'Its days can change again. The figures that were frozen stay, as those of their closing.',
      facts: [
        ['The period', { text: `${period} of ${set}`, href: periodAddress({ set, period }) }],
        ['It is now', kept?.state ?? 'open'],
        ['Closed by', last === undefined ? null : [{ text: last.preparer }, { ms: last.closedAtMs }]],
        ['The reason that will be kept', { text: reason, as: 'long' }],
      ],
    };
  },
  async reveal(_, { rows }) {
    return {
      text: `The one who asked sees the personal data of ${countOf(rows.length, 'row')} whole, once. The audit says who it was.`,
      facts: [['Rows', named(rows, (row) => ({ text: row, ...eventLink(row) }))]],
    };
  },
  'user.add': (context, order) =>
    roles(context, order, `${order.name} may act under this name, by a token of its own.`),
  'user.roles': (context, order) =>
    roles(context, order, `${order.name} may do what these roles may, from then on; all sessions of it end.`),
  'user.token': (context, { name, token }) =>
    keys(context, name, `Who has the token acts as ${name} on the command line.`, [
      ['The token is good until', { ms: token.endsAtMs }],
    ]),
  'user.link': (context, { name }) =>
    keys(
      context,
      name,
      `Who opens the link, within a day, sets password and phone of ${name}, and logs in by them.`,
      [],
    ),
  'user.end': (context, { name }) =>
    keys(
      context,
      name,
      `${name} does nothing any more: login, sessions and tokens end. The name stays in what was done.`,
      [['Roles then', 'none']],
    ),
};

/** What the act of a request does. */
export async function happening(context: Context, { asked }: KnownRequest): Promise<Block> {
  const tell = HAPPENING[asked.act] as (context: Context, order: AskedOrder['order']) => Promise<Happening>;
  const { text, facts } = await tell(context, asked.order);
  const blocks: Block[] = [
    { kind: 'text', text },
    { kind: 'facts', facts },
  ];
  return { kind: 'section', id: 'then', title: 'What will happen', blocks };
}

function roles(context: Context, { name, roles: then }: OrderOf<'user.roles'>, text: string): Promise<Happening> {
  return keys(context, name, text, [['Roles then', then.join(', ')]]);
}

/** What becomes of a person, beside the roles of now. */
async function keys({ archive }: Context, name: string, text: string, facts: Happening['facts']): Promise<Happening> {
  const user = (await archive.users()).find((one) => samePerson(one.name, name));
  const now = user === undefined || user.endedAtMs !== null ? 'none' : user.roles.join(', ');
  return { text, facts: [['The person', name], ['Roles now', now], ...facts] };
}

function named<Row>(
  rows: readonly Row[],
  shown: (row: Row) => { readonly text: string; readonly href?: string },
): Shown {
  const rest = rows.length - MOST_NAMED;
  return [...rows.slice(0, MOST_NAMED).map(shown), ...(rest > 0 ? [{ text: `and ${rest} more` }] : [])];
}

function eventLink(row: string): Partial<Link> {
  const [, id] = /^event:(\d+)$/.exec(row) ?? [];
  return id === undefined ? {} : { href: `/events/${id}` };
}
