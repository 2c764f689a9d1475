import type { Rule } from '../world/chaos-rules.ts';
import { COLLECTION_STATUSES, PAYOUT_STATUSES, type Past, REFUND_STATUSES } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { noteFault, strikes } from './strikes.ts';

/** Faults of what is asked rather than how it travels: status answers that lag or disagree, lists that are wrong. */

interface Aged<Status extends string> {
  readonly reference: string;
  status: Status;
  updatedAt: string;
  readonly history: readonly Past<Status>[];
}

const OTHER_STATUSES = { refund: REFUND_STATUSES, payout: PAYOUT_STATUSES, collection: COLLECTION_STATUSES } as const;

/** The record as its status endpoint tells it: the truth, or what a `lag` or `disagree` rule makes of it. */
export function toldRecord<Status extends string, Kept extends Aged<Status>>(
  world: World,
  kind: keyof typeof OTHER_STATUSES,
  record: Kept,
  request: { readonly path: string; readonly method: string },
): Kept {
  const struck = world.state.chaos.rules
    .filter((rule) => rule.do === 'lag' || rule.do === 'disagree')
    .filter((rule) => strikes(world, rule, { ...request, reference: record.reference }))
    .toSorted((a, b) => b.do.localeCompare(a.do)); // what lags may disagree as well; the other way round it would not
  let told = record;
  const planted: Rule[] = [];
  for (const rule of struck) {
    const { status, updatedAt } = told;
    told = rule.do === 'lag' ? asOf(told, record, world.clock.now() - rule.by) : disagreeing(kind, told, record, rule);
    if (told.status !== status || told.updatedAt !== updatedAt) planted.push(rule); // the truth is no fault
  }
  for (const rule of planted)
    noteFault(world, rule, request.path, record.reference, `answered ${told.status}, is ${record.status}`);
  return told;
}

function asOf<Kept extends Aged<string>>(told: Kept, { history }: Kept, thenMs: number): Kept {
  const { atMs: _, ...past } = history.findLast(({ atMs }) => atMs <= thenMs) ?? history[0] ?? { atMs: 0 };
  return { ...told, ...past };
}

function disagreeing<Kept extends Aged<string>>(
  kind: keyof typeof OTHER_STATUSES,
  told: Kept,
  record: Kept,
  rule: Extract<Rule, { do: 'disagree' }>,
): Kept {
  const other = OTHER_STATUSES[kind].find((status) => status !== record.status && status !== 'pending');
  return { ...told, status: rule.status ?? other };
}

/** A list as it is told: `forget` leaves records out, `repeat` shows some twice. */
export function toldList<Kept extends { readonly reference: string }>(
  world: World,
  records: readonly Kept[],
  request: { readonly path: string; readonly method: string },
): Kept[] {
  const told: Kept[] = [];
  const rules = world.state.chaos.rules.filter((rule) => rule.do === 'forget' || rule.do === 'repeat');
  for (const record of records) {
    const struck = rules.filter((rule) => strikes(world, rule, { ...request, reference: record.reference }));
    const [fault] = struck.toSorted((a, b) => a.do.localeCompare(b.do)); // what is left out is not shown twice
    if (fault)
      noteFault(world, fault, request.path, record.reference, fault.do === 'forget' ? 'left out' : 'shown twice');
    if (fault?.do === 'forget') continue;
    told.push(record);
    if (fault) told.push(record);
  }
  return told;
}
