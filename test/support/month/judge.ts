import { WALLETS } from './accounts.ts';
import type { Either } from './book.ts';
import type { Places } from './import.ts';
import { minorOf, moneyText, sumOf } from './money.ts';
import type { Month } from './month.ts';
import type { ExpectedProof } from './proof.ts';
import { type ExpectedItem, type FileLine, PROOF_ROWS, type ProofRow } from './story.ts';

/** An item of a report, as `reconcile --json` prints it. */
export interface ReportItem {
  readonly [field: string]: unknown;
  readonly code: string;
  readonly sub: string | null;
  readonly leg: string | null;
  readonly environment: string;
  readonly account: string | null;
  readonly reference: string | null;
  readonly currency: string | null;
  readonly effect: string;
  readonly line: { readonly statement: number; readonly row: number } | null;
  readonly candidates: readonly string[];
}

export interface Report {
  readonly [field: string]: unknown;
  readonly matched: Readonly<Record<string, number>>;
  readonly breaks: readonly ReportItem[];
  readonly timing: readonly ReportItem[];
  readonly suggested: readonly ReportItem[];
  readonly notConfirmed: readonly ReportItem[];
  readonly proof: readonly {
    readonly environment: string;
    readonly account: string;
    readonly currency: string;
    readonly rows: readonly {
      readonly name: string;
      readonly ours: string;
      readonly theirs: string;
      readonly difference: string;
    }[];
    readonly unexplained: string;
  }[];
}

/** Every point in which a report is not the month's known answer; empty: they agree. */
export function disagreements(report: Report, month: Month, places: Places): string[] {
  const judge = new Judge(report, month, places);
  return [...judge.items(), ...judge.counts(), ...judge.proofs()];
}

const LISTS = ['breaks', 'timing', 'suggested'] as const;
/** Compared as they are, where the month settles them. */
const FIELDS = [
  'sub',
  'side',
  'kind',
  'account',
  'reference',
  'field',
  'currency',
  'ours',
  'theirs',
  'variance',
] as const;
/**
 * Rows that are settled in sum alone: a failed payout with its debit and reversal is right; and how our fees divide into fee and
 * tax is the lines' matter.
 */
const SUMMED = new Map<unknown, readonly ProofRow[]>([
  [WALLETS.GHS, ['payouts', 'fees', 'duty', 'reversals']],
  [WALLETS.NGN, ['fees', 'tax']],
]);

class Judge {
  readonly #report: Report;
  readonly #month: Month;
  readonly #places: Places;
  readonly #byKey: ReadonlyMap<string, readonly ReportItem[]>;
  readonly #withUnreadable: ReadonlySet<string>;
  readonly #left: Record<(typeof LISTS)[number], Set<ReportItem>>;

  constructor(report: Report, month: Month, places: Places) {
    this.#report = report;
    this.#month = month;
    this.#places = places;
    const left = (list: (typeof LISTS)[number]) => new Set(report[list]);
    const keyed = LISTS.flatMap((list) =>
      report[list].flatMap((item) => keysOf(item).map((key) => ({ list, key, item }))),
    );
    const byKey = Map.groupBy(keyed, ({ list, key }) => `${list} ${key}`);
    this.#byKey = new Map([...byKey].map(([key, all]) => [key, all.map(({ item }) => item)]));
    const unreadable = month.book.lines.filter((line) => line.unreadable !== null);
    this.#withUnreadable = new Set(unreadable.map(({ account }) => account.name));
    this.#left = { breaks: left('breaks'), timing: left('timing'), suggested: left('suggested') };
  }

  /** Items that are missing, differ, or are too many. */
  items(): string[] {
    const { book } = this.#month;
    const found = book.expected.flatMap((item) => this.#compared(item));
    const either = book.either.flatMap((one) => this.#either(one));
    const surplus = LISTS.flatMap((list) =>
      [...this.#left[list]]
        .filter((item) => !this.#isTolerated(list, item))
        .map((item) => `too many: ${shown(list, item)}`),
    );
    const unconfirmed = this.#report.notConfirmed.map((item) => `too many: ${shown('notConfirmed', item)}`);
    return [...found, ...either, ...surplus, ...unconfirmed];
  }

  #compared(item: ExpectedItem): string[] {
    const left = this.#left[item.list];
    const actual = this.#near(item).find((one) => left.has(one) && this.#isAbout(one, item));
    const name = `${item.list} ${item.code} ${item.reference ?? item.account} (${item.plant})`;
    if (actual === undefined) return [`missing: ${name}${this.#whereOf(item)}`];
    left.delete(actual);
    const differ = FIELDS.filter((field) => item[field] !== undefined && actual[field] !== item[field]).map(
      (field) => `${field} is ${text(actual[field])}, not ${text(item[field])}`,
    );
    if (item.effect !== undefined && actual.effect !== moneyText(item.effect)) {
      differ.push(`effect is ${actual.effect}, not ${moneyText(item.effect)}`);
    }
    if (item.lines !== undefined && !item.lines.some((line) => this.#isAt(actual, line))) {
      differ.push(`line is ${text(actual.line)}, not one of${this.#whereOf(item)}`);
    }
    const { candidates } = item;
    if (candidates !== undefined && String(actual.candidates.toSorted()) !== String(candidates.toSorted())) {
      differ.push(`candidates are ${text(actual.candidates)}, not ${text(candidates)}`);
    }
    return differ.map((one) => `${name}: ${one}`);
  }

  /** The items of a list that can be meant: of its reference, at its lines, or of its account. */
  #near({ list, reference, lines = [], account }: ExpectedItem): readonly ReportItem[] {
    const of = (key: string) => this.#byKey.get(`${list} ${key}`) ?? [];
    const places = lines.map((line) => this.#places.get(line)).filter((place) => place !== undefined);
    const there = places.flatMap(({ statement, rows }) => rows.flatMap((row) => of(`${statement}:${row}`)));
    return [...of(`reference ${reference}`), ...there, ...(reference === undefined ? of(`account ${account}`) : [])];
  }

  #isAbout(one: ReportItem, item: ExpectedItem): boolean {
    if (one.environment !== item.environment) return false;
    if (item.list !== 'suggested' && one.code !== item.code) return false;
    if (item.leg !== undefined && one.leg !== item.leg) return false;
    if (typeof item.account === 'string' && one.account !== item.account) return false;
    const namesLine = item.side === 'theirs' || item.list === 'suggested';
    if (namesLine && item.lines !== undefined) return item.lines.some((line) => this.#isAt(one, line));
    if (item.reference !== undefined) return one.reference === item.reference;
    return one.account === item.account;
  }

  #isAt(one: ReportItem, line: FileLine): boolean {
    const place = this.#places.get(line);
    if (place === undefined || one.line === null) return false;
    return one.line.statement === place.statement && place.rows.includes(one.line.row);
  }

  #whereOf({ lines = [] }: ExpectedItem): string {
    return lines.map((line) => ` ${line.account.name}:${text(this.#places.get(line))}`).join('');
  }

  /** Both rows are breaks, or they are one suggestion. */
  #either({ plant, ours, line }: Either): string[] {
    const take = (list: (typeof LISTS)[number], is: (one: ReportItem) => boolean) => {
      const one = [...this.#left[list]].find(is);
      if (one !== undefined) this.#left[list].delete(one);
      return one !== undefined;
    };
    if (take('suggested', (one) => this.#isAt(one, line))) return [];
    const isOurs = take('breaks', (one) => one.code === 'missing_external' && one.reference === ours);
    const isTheirs = take('breaks', (one) => one.code === 'missing_internal' && this.#isAt(one, line));
    return isOurs && isTheirs ? [] : [`missing: two breaks or a suggestion for ${ours} (${plant})`];
  }

  #isTolerated(list: (typeof LISTS)[number], { code, reference, effect, account }: ReportItem): boolean {
    const { book } = this.#month;
    if (effect !== '0.00') return false;
    if (list === 'timing') return reference !== null && book.tolerated.has(reference);
    // A file with an unreadable row does not add up either.
    return list === 'breaks' && code === 'control_mismatch' && account !== null && this.#withUnreadable.has(account);
  }

  counts(): string[] {
    const { matched, maybeMatched } = this.#month.book;
    return [...matched].flatMap(([leg, least]) => {
      const most = least + (maybeMatched.get(leg) ?? 0);
      const actual = this.#report.matched[leg] ?? 0;
      return least <= actual && actual <= most ? [] : [`matched ${leg} is ${actual}, not ${least} to ${most}`];
    });
  }

  proofs(): string[] {
    const unexplained = this.#report.proof
      .filter((one) => one.unexplained !== '0.00')
      .map((one) => `unexplained of ${one.account} ${one.currency} is ${one.unexplained}`);
    return [...unexplained, ...this.#month.proofs.flatMap((proof) => this.#proof(proof))];
  }

  #proof({ account, rows }: ExpectedProof): string[] {
    const is = (one: {
      readonly environment: string;
      readonly account: string | null;
      readonly currency: string | null;
    }) => one.environment === account.environment && one.account === account.name && one.currency === account.currency;
    const actual = this.#report.proof.find(is);
    if (actual === undefined) return [`no proof of ${account.name} ${account.currency}`];
    const summed = SUMMED.get(account) ?? [];
    const sides = (row: string) => actual.rows.find(({ name }) => name === row) ?? NOTHING;
    const compared = [...PROOF_ROWS.filter((row) => !summed.includes(row)).map((row) => [row]), summed].flatMap(
      (names) =>
        (['ours', 'theirs'] as const).flatMap((side) => {
          const is = sumOf(names.map((row) => minorOf(sides(row)[side])));
          const should = sumOf(names.map((row) => rows.get(row as ProofRow)?.[side] ?? 0n));
          const name = `proof of ${account.name}, ${names.join(' + ')}, ${side}`;
          return is === should ? [] : [`${name} is ${moneyText(is)}, not ${moneyText(should)}`];
        }),
    );
    const wrong = actual.rows.filter((row) => minorOf(row.theirs) - minorOf(row.ours) !== minorOf(row.difference));
    const effects = sumOf(LISTS.flatMap((list) => this.#report[list].filter(is).map(({ effect }) => minorOf(effect))));
    const closing = sides('closing');
    const difference = minorOf(closing.theirs) - minorOf(closing.ours);
    return [
      ...compared,
      ...wrong.map(({ name, difference: shown }) => `proof of ${account.name}, ${name}: difference is ${shown}`),
      ...(effects === difference
        ? []
        : [`Σ effects of ${account.name} is ${moneyText(effects)}, not ${moneyText(difference)}`]),
    ];
  }
}

function keysOf({ reference, account, line }: ReportItem): string[] {
  const keys = [`reference ${reference}`, `account ${account}`];
  return line === null ? keys : [...keys, `${line.statement}:${line.row}`];
}

const NOTHING = { ours: '0.00', theirs: '0.00', difference: '0.00' };

function shown(list: string, { code, sub, leg, reference, account, ours, theirs, effect, line }: ReportItem): string {
  return `${list} ${code}${sub === null ? '' : `/${sub}`} ${reference} of ${leg} ${account}: ${text([ours, theirs, effect, line])}`;
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
