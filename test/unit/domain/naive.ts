import { showValue } from '../../../src/domain/records/fields.ts';
import type { RecordKind } from '../../../src/domain/records/lifecycle.ts';
import type { Observation } from '../../../src/domain/records/observation.ts';

/**
 * The rules of the design, section 5, written a second time and as plainly as possible, with tables of its own. It shares
 * no code with the fold (but the printing of a value), so that a mistake in one is not a mistake in both.
 */
export interface NaiveState {
  reported: string | null;
  confirmed: string | null;
  facts: Record<string, string | null>;
  money: Record<'reported' | 'confirmed', Record<string, string | null>>;
  /** By name, the text beside the instant. */
  times: Record<string, string | null>;
  findings: string[];
}

type Webhook = { status: string; time: string; contents: readonly Observation[] };

const RANKS: Record<string, number> = {
  awaiting_settlement: 1,
  pending: 2,
  processing: 3,
  failed: 4,
  rejected: 5,
  success: 6,
};
const OTHER_RANKS: Record<string, number> = {
  pending: 1,
  cancelled: 2,
  abandoned: 2,
  failed: 3,
  success: 4,
  completed: 4,
  reversed: 5,
};

const MONEY: Record<RecordKind, string[]> = {
  refund: ['amount', 'currency', 'fee'],
  payout: ['amount', 'currency', 'fee', 'stampDuty'],
  collection: ['requestedAmount', 'amount', 'currency', 'fees'],
};

const SETTLED: Record<RecordKind, string[]> = {
  refund: ['success', 'rejected'],
  payout: ['success', 'completed', 'failed', 'reversed'],
  collection: ['success', 'completed', 'failed', 'cancelled', 'abandoned', 'reversed'],
};

export function naiveState(kind: RecordKind, set: readonly Observation[]): NaiveState {
  const ranks = new Map(Object.entries(kind === 'refund' ? RANKS : OTHER_RANKS));
  const finals = kind === 'refund' ? ['success', 'rejected'] : ['reversed'];
  const findings = new Set<string>();

  const webhooks = set.filter((one) => one.witness === 'webhook');
  const firsts: Webhook[] = [];
  for (const key of new Set(webhooks.map((one) => one.eventKey))) {
    const contents = webhooks.filter((one) => one.eventKey === key);
    const statuses = contents.map((one) => one.stated.status);
    const first = contents[0] as Observation;
    if (contents.length > 1) findings.add(`variant ${key}`);
    if (contents.some((one) => one.stated.contradiction)) findings.add(`contradiction ${key}`);
    if (statuses[0] === null || statuses[0] === undefined || statuses.some((status) => status !== statuses[0]))
      continue;
    firsts.push({ status: statuses[0], time: sortable(first.stated.time), contents });
  }

  const key = (stated: Webhook): (string | number)[] => {
    const [final, rank] = [finals.includes(stated.status) ? 1 : 0, ranks.get(stated.status) ?? 0];
    return kind === 'refund' ? [final, stated.time, rank, stated.status] : [rank, stated.time, stated.status];
  };
  const greater = (one: Webhook, other: Webhook): boolean => {
    const [left, right] = [key(one), key(other)];
    const differs = left.findIndex((part, index) => part !== right[index]);
    return differs >= 0 && (left[differs] as string | number) > (right[differs] as string | number);
  };
  const greatest = (all: readonly Webhook[]): Webhook | null => {
    const best = all.find((one) => !all.some((other) => greater(other, one)));
    const equals = all.filter((one) => one.status === best?.status && one.time === best.time);
    return best === undefined ? null : { ...best, contents: equals.flatMap(({ contents }) => contents) };
  };
  const winner = greatest(firsts);

  for (const { status, time } of firsts) {
    if (winner === null || status === winner.status) continue;
    if (time !== '' && time === winner.time) findings.add(`tie ${status}`);
    const afterFinal = finals.includes(winner.status) && !finals.includes(status);
    if (afterFinal && winner.time !== '' && time > winner.time) findings.add(`final_regressed ${status}`);
  }
  const statedBy = (status: string): boolean => firsts.some((one) => one.status === status);
  if (kind === 'refund' && statedBy('success') && statedBy('rejected')) findings.add('final_conflict rejected+success');
  if (kind !== 'refund' && statedBy('failed') && (statedBy('success') || statedBy('completed'))) {
    findings.add(`final_conflict failed+${statedBy('completed') ? 'completed' : 'success'}`);
  }

  const answers = set.filter((one) => one.witness === 'api' && one.stated.status !== null);
  answers.sort((one, other) => (one.answer?.counter ?? 0) - (other.answer?.counter ?? 0));
  const words = answers.map((one) => one.stated.status as string);

  const confirmed = wordAfter(words, finals);
  const answer = answers.findLast((one) => one.stated.status === confirmed) ?? null;
  const started = set
    .filter(({ witness, stated }) => (witness === 'request' || witness === 'list') && stated.status !== null)
    .map((one) => ({ status: one.stated.status as string, time: sortable(one.stated.time), contents: [one] }));
  const service = answer && { status: confirmed as string, time: sortable(answer.stated.time), contents: [answer] };
  const level = (one: string, other: string): boolean =>
    one === other || (['success', 'completed'].includes(one) && ['success', 'completed'].includes(other));
  // Whether the webhooks are ahead of the service, or level with it and later.
  const isReportedFirst = (): boolean => {
    if (winner === null || service === null) return service === null;
    if (level(winner.status, service.status)) return service.time !== '' && service.time < winner.time;
    const [left, right] = [winner, service].map(({ status }) => finals.includes(status));
    if (left && right) return false;
    const rankOf = ({ status }: Webhook): number => ranks.get(status) ?? 0;
    if (kind !== 'refund') return rankOf(winner) > rankOf(service);
    if (left !== right) return left === true;
    if (winner.time !== '' && service.time !== '' && winner.time !== service.time) return winner.time > service.time;
    return rankOf(winner) > rankOf(service);
  };
  const request = greatest(started);
  const leader = (isReportedFirst() ? winner : service) ?? request;
  const sources = [leader, service, winner, request].filter((one) => one !== null);

  const shownIn = ({ stated }: Observation, name: string): string | null =>
    showValue(stated.facts[name] ?? stated.details[name] ?? null);
  const moneyIn = (contents: readonly Observation[]): Record<string, string | null> =>
    Object.fromEntries(
      MONEY[kind].map((name) => {
        const values = new Set(contents.map((one) => shownIn(one, name)).filter((value) => value !== null));
        return [name, values.size === 1 ? ([...values][0] ?? null) : null];
      }),
    );

  const timeNames = new Set(set.flatMap((one) => Object.keys(one.stated.times)));
  const begins = (name: string): boolean => name === 'createdAt' || name === 'requestedAt';
  const given = (name: string, contents: readonly Observation[]): string[][] =>
    contents.flatMap(({ stated }) => {
      const time = stated.times[name];
      return time ? [[time.utc ?? `~ ${time.text}`, time.text, `${time.utc} ${time.text}`]] : [];
    });
  const agreed = (name: string, of: readonly Webhook[]): string[][][] =>
    of.map(({ contents }) => given(name, contents)).filter((all) => new Set(all.map(([at]) => at)).size === 1);
  const ofStatus = (status: string): Webhook[] => sources.filter((one) => level(one.status, status));
  // The settled word of the service, else the leader, else the service: the first with a time that can be read.
  const datings = [
    ...(service !== null && SETTLED[kind].includes(service.status) ? [ofStatus(service.status)] : []),
    ...(leader === null ? [] : [ofStatus(leader.status)]),
    ...(service === null ? [] : [ofStatus(service.status)]),
  ];
  const isDated = (of: readonly Webhook[]): boolean =>
    [...timeNames].some((name) => !begins(name) && agreed(name, of).some(([first]) => !first?.[0]?.startsWith('~')));
  const dated = datings.find(isDated) ?? datings[0] ?? [];
  const times: Record<string, string | null> = {};
  for (const name of timeNames) {
    const pool = agreed(name, begins(name) ? sources : dated)[0] ?? (begins(name) ? given(name, set) : []);
    times[name] = pool.toSorted((one, other) => (`${one}` < `${other}` ? -1 : 1))[0]?.[2] ?? null;
  }

  const facts: Record<string, string | null> = {};
  for (const name of new Set(set.flatMap((one) => Object.keys(one.stated.facts)))) {
    const shown = set.map((one) => showValue(one.stated.facts[name] ?? null)).filter((value) => value !== null);
    const values = new Set(shown);
    if (values.size > 1) findings.add(`fact_conflict ${name}`);
    facts[name] = values.size === 1 ? (shown[0] ?? null) : null;
  }
  for (const field of set.flatMap((one) => one.stated.unreadable)) findings.add(`unreadable_amount ${field}`);

  return {
    reported: winner?.status ?? null,
    confirmed,
    facts,
    money: { reported: moneyIn(winner?.contents ?? webhooks), confirmed: moneyIn(answer === null ? [] : [answer]) },
    times,
    findings: [...findings].sort(),
  };
}

/** The last word, unless the word before it was final and it is the first to say otherwise. */
function wordAfter(words: readonly string[], finals: readonly string[]): string | null {
  const last = words.at(-1);
  if (last === undefined) return null;
  const before = wordAfter(words.slice(0, -1), finals);
  const alone = last !== words.at(-2);
  return before !== null && finals.includes(before) && alone ? before : last;
}

/** All fractions to twelve digits, so that texts sort as instants do; none is the least. */
function sortable(time: string | null): string {
  if (time === null) return '';
  const [whole = '', fraction = ''] = time.slice(0, -1).split('.');
  return `${whole}.${fraction.padEnd(12, '0')}`;
}
