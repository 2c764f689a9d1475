import type { GuardedAct } from '../domain/access/approval.ts';
import { samePerson } from '../domain/persons/person.ts';
import { accountText } from '../reconcile/import/words.ts';
import { countOf } from '../reconcile/report/words.ts';
import type { AskedOrder } from '../store/approvals.ts';
import type { Archive } from '../store/archive.ts';
import { count, id, type ListColumn, long, text, time } from './column.ts';

// What will happen when a request is approved and carried out, by what it is about now. Its rows are listed beside.

/** A sentence, and what it rests on. */
export interface Happening {
  readonly text: string;
  readonly facts: readonly ListColumn<null>[];
}

type Reading = Pick<Archive, 'targets' | 'statement' | 'countMatches' | 'period' | 'users'>;
type OrderOf<Act extends GuardedAct> = Extract<AskedOrder, { readonly act: Act }>['order'];
type Teller<Act extends GuardedAct> = (archive: Reading, order: OrderOf<Act>) => Promise<Happening>;

const HAPPENING: { readonly [Act in GuardedAct]: Teller<Act> } = {
  replay: async (_, { target, eventIds }) => ({
    text: `${target} gets news of ${countOf(eventIds.length, 'event')} once more, under new ids. It must know each by its record.`,
    facts: [id('Target', () => target)],
  }),
  'outbox.drop': async (_, { webhookIds }) => ({
    text: `Your application never gets ${countOf(webhookIds.length, 'row')} of the outbox: each is given up.`,
    facts: [],
  }),
  async 'target.enable'(archive, { target }) {
    const known = (await archive.targets()).find(({ name }) => name === target);
    const { waiting = 0, failing = 0, dead = 0 } = known?.states ?? {};
    return {
      text: `News goes to ${target} again, beginning with what waits.`,
      facts: [
        id('Target', () => target),
        count('Waits for it', () => waiting + failing),
        count('Dead, which stay so', () => dead),
      ],
    };
  },
  async 'statement.remove'(archive, { statement }) {
    const [one, matches] = [await archive.statement(statement), await archive.countMatches({ statement })];
    return {
      text: 'Its lines count no more, but for those that another statement has, and its days must be reconciled again. The file can be imported again.',
      facts: [
        text('File', () => one?.file.name ?? null),
        text('Account', () => (one === null ? null : accountText(one.account))),
        count('Lines that count no more', () => one?.lines ?? null),
        count('Matches that end', () => matches),
      ],
    };
  },
  async 'period.reopen'(archive, { set, period, reason }) {
    const kept = await archive.period(set, period);
    const last = kept?.closings.at(-1);
    return {
      text: 'Its days can change again. The figures that were frozen stay, as those of their closing.',
      facts: [
        text('Period', () => `${period} of ${set}`),
        text('It is now', () => kept?.state ?? 'open'),
        text('Closed by', () => last?.preparer ?? null),
        time('Closed', () => last?.closedAtMs ?? null),
        long('The reason that will be kept', () => reason),
      ],
    };
  },
  reveal: async (_, { rows }) => ({
    text: `The one who asked sees the personal data of ${countOf(rows.length, 'row')} whole, once. The audit says who it was.`,
    facts: [],
  }),
  'user.add': (archive, { name, roles }) =>
    person(archive, name, `${name} may act under this name, by a token of its own.`, rolesThen(roles)),
  'user.roles': (archive, { name, roles }) =>
    person(
      archive,
      name,
      `${name} may do what these roles may, from then on; all sessions of it end.`,
      rolesThen(roles),
    ),
  'user.token': (archive, { name, token }) =>
    person(archive, name, `Who has the token acts as ${name} on the command line.`, [
      time('The token is good until', () => token.endsAtMs),
    ]),
  'user.link': (archive, { name }) =>
    person(archive, name, `Who opens the link, within a day, sets password and phone of ${name}, and logs in by them.`),
  'user.end': (archive, { name }) =>
    person(
      archive,
      name,
      `${name} does nothing any more: login, sessions and tokens end. The name stays in what was done.`,
      rolesThen(['none']),
    ),
};

/** What carrying the request out does. */
export function happeningOf(archive: Reading, { act, order }: AskedOrder): Promise<Happening> {
  const tell = HAPPENING[act] as (archive: Reading, order: AskedOrder['order']) => Promise<Happening>;
  return tell(archive, order);
}

function rolesThen(roles: readonly string[]): Happening['facts'] {
  return [text('Roles then', () => roles.join(', '))];
}

/** What becomes of a person, beside the roles of now. */
async function person(
  archive: Reading,
  name: string,
  said: string,
  facts: Happening['facts'] = [],
): Promise<Happening> {
  const user = (await archive.users()).find((one) => samePerson(one.name, name));
  const now = user === undefined || user.endedAtMs !== null ? 'none' : user.roles.join(', ');
  return { text: said, facts: [text('Person', () => name), text('Roles now', () => now), ...facts] };
}
