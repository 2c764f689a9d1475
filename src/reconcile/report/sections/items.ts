import { lackedBy } from '../../matching/uncompared.ts';
import { isZero } from '../decimal.ts';
import type { ExceptionSum, Report } from '../model.ts';
import {
  amount,
  type Column,
  count,
  currency,
  EFFECT_OUTSIDE,
  environment,
  name,
  type Section,
  section,
  text,
} from './section.ts';

// What does not agree, what waits, and how much of all agrees.

/** The last column only where some effect is outside the balance proof. */
export function sums<Row extends ExceptionSum>(rows: readonly Row[]): Column<Row>[] {
  return [
    count('Count', (row) => row.count),
    count('Open', (row) => row.open),
    amount('Variance', (row) => row.variance),
    amount('Effect', (row) => row.effect),
    ...(rows.every((row) => isZero(row.effectOutside))
      ? []
      : [amount<Row>(EFFECT_OUTSIDE, (row) => row.effectOutside)]),
  ];
}

export function exceptionsByCode({ exceptions, environment: only }: Report): Section {
  return section({ name: 'Exceptions by code', title: 'Exceptions by code' }, exceptions.byCode, [
    ...environment(only),
    currency(),
    name('Code', 24, ({ code }) => code),
    ...sums(exceptions.byCode),
  ]);
}

export function exceptionsByAge({ exceptions, environment: only }: Report): Section {
  return section({ name: 'Exceptions by age', title: 'Exceptions by age' }, exceptions.byAge, [
    ...environment(only),
    currency(),
    name('Age', 24, ({ age }) => age),
    ...sums(exceptions.byAge),
  ]);
}

export function exceptionsByResolution({ exceptions, environment: only }: Report): Section {
  const about = { name: 'Exceptions by resolution', title: 'Exceptions by resolution' };
  return section(about, exceptions.byResolution, [
    ...environment(only),
    currency(),
    name('Resolution', 24, ({ resolution }) => resolution ?? 'not resolved'),
    text('Reason code', 22, ({ reasonCode }) => reasonCode),
    ...sums(exceptions.byResolution),
  ]);
}

/** Each difference is in the sums once; these are not. */
export function exceptionsRepeated({ exceptions, environment: only }: Report): Section {
  const title = 'Repeated by settlement statements, in no sum above';
  return repeatedSums({ name: 'Exceptions repeated', title }, exceptions.repeated, only);
}

const REPEATED = 'the same as an exception of a wallet';

export function repeatedSums(
  about: { readonly name: string; readonly title: string },
  repeated: readonly ExceptionSum[],
  only: Report['environment'],
): Section {
  return section({ ...about, totals: false }, repeated, [
    ...environment(only),
    currency(),
    name('What', 70, ({ effect }) => (isZero(effect) ? REPEATED : `${REPEATED}; effect in the proof of its account`)),
    ...sums(repeated),
  ]);
}

const LISTS: Readonly<Record<Report['waiting'][number]['list'], string>> = {
  timing: 'not due yet',
  suggested: 'to confirm',
  carried: 'open from before',
  not_confirmed: 'not confirmed: no endpoint',
};

export function waiting({ waiting, environment: only }: Report): Section {
  return section({ name: 'Waiting', title: 'Not due, to confirm, or open from before', totals: false }, waiting, [
    ...environment(only),
    text('Account', 22, ({ account }) => account),
    currency(),
    name('What', 28, ({ list }) => LISTS[list]),
    count('Count', (row) => row.count),
    amount('Effect', (row) => row.effect),
  ]);
}

export function atRisk({ atRisk, environment: only }: Report): Section {
  return section({ name: 'At risk', title: 'Money of records with an exception, each once', totals: false }, atRisk, [
    ...environment(only),
    currency(),
    count('Records', ({ records }) => records),
    amount('Amount', (row) => row.amount),
  ]);
}

export function matchRate({ matchRate, environment: only }: Report): Section {
  return section({ name: 'Match rate', title: 'Match rate', totals: false }, matchRate.legs, [
    ...environment(only),
    name('Leg', 24, ({ leg }) => leg),
    currency(),
    count('Matched', (row) => row.matched),
    count('Unmatched', (row) => row.unmatched),
    amount('Per cent', (row) => row.rate),
    count('Not due', (row) => row.notDue),
    count('No statement', (row) => row.noStatement),
  ]);
}

export function matchRateByDay({ matchRate, environment: only }: Report): Section {
  return section({ name: 'Match rate by day', title: 'Match rate by day', totals: false }, matchRate.byDay, [
    ...environment(only),
    name('Leg', 24, ({ leg }) => leg),
    { header: 'Date', width: 12, cell: ({ date }) => ({ kind: 'day', day: date }) },
    count('Matched', (row) => row.matched),
    count('Unmatched', (row) => row.unmatched),
    amount('Per cent', (row) => row.rate),
  ]);
}

export function uncompared({ uncompared, environment: only }: Report): Section {
  const about = {
    name: 'Compared with nothing',
    title: 'Compared with nothing: no statement of the other side, or no rule',
  };
  return section({ ...about, totals: false }, uncompared, [
    ...environment(only),
    text('Account', 22, ({ account }) => account),
    currency(),
    name('Lines of', 16, ({ type }) => type),
    count('Lines', ({ lines }) => lines),
    amount('Moved', ({ moved }) => moved),
    name('Missing', 24, lackedBy),
  ]);
}

export function late({ late, environment: only }: Report): Section {
  return section({ name: 'Late', title: 'Came late, for a period that was closed' }, late, [
    ...environment(only),
    name('Account', 22, ({ account }) => account ?? 'none'),
    currency(),
    count('Items', (row) => row.count),
    amount('Effect', (row) => row.effect),
  ]);
}
