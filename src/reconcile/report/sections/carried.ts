import { dayCell, textCell, valueCell } from '../../sheet/cells.ts';
import { isZero } from '../decimal.ts';
import type { CarriedItem, Report } from '../model.ts';
import { repeatedSums, sums } from './items.ts';
import { amount, count, currency, EFFECT_OUTSIDE, environment, name, type Section, section, text } from './section.ts';

// What is open from before the period: in no sum of its own exceptions.

export function carriedByCode({ carried, environment: only }: Report): Section {
  const about = { name: 'From before by code', title: 'From before, exceptions by code' };
  return section(about, carried.byCode, [
    ...environment(only),
    currency(),
    name('Code', 24, ({ code }) => code),
    ...sums(carried.byCode),
  ]);
}

export function carriedByAge({ carried, environment: only }: Report): Section {
  const about = { name: 'From before by age', title: 'From before, exceptions by age' };
  return section(about, carried.byAge, [
    ...environment(only),
    currency(),
    name('Age', 24, ({ age }) => age),
    ...sums(carried.byAge),
  ]);
}

export function carriedRepeated({ carried, environment: only }: Report): Section {
  const title = 'From before, repeated by settlement statements, in no sum above';
  return repeatedSums({ name: 'From before repeated', title }, carried.repeated, only);
}

export function carriedClaims({ carried, environment: only }: Report): Section {
  const about = { name: 'Claims from before', title: 'From before, claimed and still owed', totals: false };
  return section(about, carried.claims, [
    ...environment(only),
    currency(),
    count('Claims', ({ claims }) => claims),
    amount('Amount', (row) => row.amount),
  ]);
}

/** Every item that is listed: with those that are not, those in a balance proof add up to what is carried there. */
export function carriedList({ carried: { items, more }, environment: only }: Report): Section {
  const isOutside = (row: CarriedItem) => !row.isInProof && !isZero(row.effect);
  const values = (header: string, value: (row: CarriedItem) => string | null) => {
    return { header, width: 18, cell: (row: CarriedItem) => valueCell(value(row)) };
  };
  const days = (header: string, value: (row: CarriedItem) => string | null) => {
    return { header, width: 12, cell: (row: CarriedItem) => dayCell(value(row)) };
  };
  const list = section({ name: 'From before', title: 'From before, one by one' }, items, [
    name('Id', 30, ({ id }) => id),
    ...environment<CarriedItem>(only),
    text('Account', 20, ({ account }) => account),
    currency(),
    text('Code', 22, ({ code, sub }) => (sub === null ? code : `${code}/${sub}`)),
    text('Reference', 30, ({ reference }) => reference),
    days('Date', ({ date }) => date),
    text('Since', 12, ({ since }) => since),
    values('Ours', ({ ours }) => ours),
    values('Theirs', ({ theirs }) => theirs),
    amount('Effect', (row) => (isOutside(row) ? null : row.effect)),
    ...(items.some(isOutside)
      ? [amount<CarriedItem>(EFFECT_OUTSIDE, (row) => (isOutside(row) ? row.effect : null))]
      : []),
    text('Status', 10, ({ status, needsApproval }) => (needsApproval ? `${status}, to be approved` : status)),
    text('Resolution', 12, ({ resolution }) => resolution),
    text('Reason code', 18, ({ reasonCode }) => reasonCode),
    text('Same as', 30, ({ sameAs }) => sameAs),
    days('Follow-up', ({ followUp }) => followUp),
  ]);
  if (more === 0) return list;
  const rest = list.columns.map((_, at) => (at === 0 ? textCell(`${more} more: tallyhook exceptions list`) : null));
  return { ...list, totals: [...list.totals, rest] };
}
