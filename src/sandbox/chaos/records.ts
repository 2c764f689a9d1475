import type { Rule } from '../world/chaos-rules.ts';
import { COLLECTION_STATUSES, PAYOUT_STATUSES, type Past, REFUND_STATUSES } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { applies, noteFault } from './rules.ts';

// Faults in the content of answers: an outdated or wrong status, and lists that omit or repeat records.

interface Aged<Status extends string> {
  readonly reference: string;
  status: Status;
  updatedAt: string;
  readonly history: readonly Past<Status>[];
}

const OTHER_STATUSES = { refund: REFUND_STATUSES, payout: PAYOUT_STATUSES, collection: COLLECTION_STATUSES } as const;

/** The record as its status endpoint answers it: correct, or changed by `lag` and `disagree` rules. */
export function answeredRecord<Status extends string, Kept extends Aged<Status>>(
  world: World,
  kind: keyof typeof OTHER_STATUSES,
  record: Kept,
  request: { readonly path: string; readonly method: string },
): Kept {
  const struck = world.state.chaos.rules
    .filter((rule) => rule.do === 'lag' || rule.do === 'disagree')
    .filter((rule) => applies(world, rule, { ...request, reference: record.reference }))
    .toSorted((a, b) => b.do.localeCompare(a.do)); // lag first: it would undo disagree
  let shown = record;
  const planted: Rule[] = [];
  for (const rule of struck) {
    const { status, updatedAt } = shown;
    shown =
      rule.do === 'lag'
        ? asOf(shown, record, world.clock.now() - rule.by)
        : { ...shown, status: rule.status ?? otherStatus(kind, record) };
    if (shown.status !== status || shown.updatedAt !== updatedAt) planted.push(rule); // an unchanged record has no fault
  }
  const note = `answered ${shown.status}, is ${record.status}`;
  for (const rule of planted) noteFault(world, rule, { target: request.path, reference: record.reference, note });
  return shown;
}

function asOf<Kept extends Aged<string>>(shown: Kept, { history }: Kept, thenMs: number): Kept {
  const { atMs: _, ...past } = history.findLast(({ atMs }) => atMs <= thenMs) ?? history[0] ?? { atMs: 0 };
  return { ...shown, ...past };
}

function otherStatus(kind: keyof typeof OTHER_STATUSES, record: Aged<string>) {
  return OTHER_STATUSES[kind].find((status) => status !== record.status && status !== 'pending');
}

/** The list as it is answered: without the records of `forget` rules, and twice those of `repeat` rules. */
export function answeredList<Kept extends { readonly reference: string }>(
  world: World,
  records: readonly Kept[],
  request: { readonly path: string; readonly method: string },
): Kept[] {
  const shown: Kept[] = [];
  const rules = world.state.chaos.rules.filter((rule) => rule.do === 'forget' || rule.do === 'repeat');
  for (const record of records) {
    const struck = rules.filter((rule) => applies(world, rule, { ...request, reference: record.reference }));
    const [fault] = struck.toSorted((a, b) => a.do.localeCompare(b.do)); // forget comes before repeat
    const note = fault?.do === 'forget' ? 'left out' : 'shown twice';
    if (fault) noteFault(world, fault, { target: request.path, reference: record.reference, note });
    if (fault?.do === 'forget') continue;
    shown.push(record);
    if (fault) shown.push(record);
  }
  return shown;
}
