import { samePerson } from '../../../domain/persons/person.ts';
import { accountText } from '../../../reconcile/import/words.ts';
import type { KnownRequest } from '../../../store/approvals.ts';
import type { Block, Shown } from '../page.ts';
import type { Context } from '../route.ts';
import { periodAddress } from './periods.ts';

/** What the act does, from what it is about now. */
export async function happening({ archive }: Context, { asked }: KnownRequest): Promise<Block[]> {
  if (asked.act === 'statement.remove') {
    const { statement } = asked.order;
    const [one, matches] = [await archive.statement(statement), await archive.countMatches({ statement })];
    if (one === null) return [];
    return section([
      ['The file', { text: one.file.name, href: `/statements/${statement}` }],
      ['Of the account', accountText(one.account)],
      ['Lines that count no more', { count: one.lines }],
      ['Matches that end', { count: matches }],
    ]);
  }
  if (asked.act === 'period.reopen') {
    const { set, period, reason } = asked.order;
    const kept = await archive.period(set, period);
    const last = kept?.closings.at(-1);
    return section([
      ['The period', { text: `${period} of ${set}`, href: periodAddress({ set, period }) }],
      ['It is now', kept?.state ?? 'open'],
      ['Closed by', last === undefined ? null : [{ text: last.preparer }, { ms: last.closedAtMs }]],
      ['The reason that will be kept', { text: reason, as: 'long' }],
    ]);
  }
  if (asked.act === 'user.add' || asked.act === 'user.roles') {
    const { name, roles } = asked.order;
    const user = (await archive.users()).find((one) => samePerson(one.name, name));
    return section([
      ['The person', name],
      ['Roles now', user === undefined || user.endedAtMs !== null ? 'none' : user.roles.join(', ')],
      ['Roles then', roles.join(', ')],
    ]);
  }
  return [];
}

function section(facts: readonly (readonly [string, Shown])[]): Block[] {
  return [{ ...{ kind: 'section', id: 'then', title: 'What will happen' }, blocks: [{ kind: 'facts', facts }] }];
}
