import type { Report } from '../model.ts';
import { amount, count, currency, environment, name, type Section, section, text } from './section.ts';

// Money that is elsewhere, and what it costs.

export function inTransit({ inTransit, environment: only }: Report): Section {
  return section({ name: 'In transit', title: 'Collected and not yet settled' }, inTransit.byAge, [
    ...environment(only),
    currency(),
    name('Age', 12, ({ age }) => age),
    count('Collections', ({ collections }) => collections),
    amount('Amount', (row) => row.amount),
  ]);
}

export function batchesInTransit({ inTransit, environment: only }: Report): Section {
  const about = { name: 'Batches in transit', title: 'Settlement batches that the bank does not have yet' };
  return section(about, inTransit.batches, [
    ...environment(only),
    name('Account', 22, ({ account }) => account),
    currency(),
    text('Batch', 24, ({ reference }) => reference),
    { header: 'Date', width: 12, cell: ({ date }) => ({ kind: 'day', day: date }) },
    text('Age', 12, ({ age }) => age),
    amount('Amount', (row) => row.amount),
  ]);
}

export function inTransitByDay({ inTransit, environment: only }: Report): Section {
  const about = { name: 'In transit by day', title: 'Collected and not yet settled, at the end of each day' };
  return section({ ...about, totals: false }, inTransit.byDay, [
    ...environment(only),
    currency(),
    { header: 'Date', width: 12, cell: ({ date }) => ({ kind: 'day', day: date }) },
    count('Collections', ({ collections }) => collections),
    amount('Amount', (row) => row.amount),
  ]);
}

export function reserved({ reserved, environment: only, to }: Report): Section {
  return section({ name: 'Reserved', title: `Reserved for refunds at the end of ${to}` }, reserved, [
    ...environment(only),
    currency(),
    name('Status', 24, ({ status }) => status ?? 'none'),
    text('Age', 12, ({ age }) => age),
    count('Refunds', ({ refunds }) => refunds),
    amount('Reserved', (row) => row.reserved),
    count('Do not add up', ({ broken }) => broken),
    count('Not stated', ({ withoutReserve }) => withoutReserve),
  ]);
}

export function fees({ fees, environment: only }: Report): Section {
  return section({ name: 'Fees', title: 'Fees, tax and duty charged, by the statements' }, fees.charged, [
    ...environment(only),
    name('Account', 22, ({ account }) => account),
    currency(),
    amount('Fees', (row) => row.fees),
    amount('Refund fees', (row) => row.refundFees),
    amount('Tax', (row) => row.tax),
    amount('Duty', (row) => row.duty),
    amount('Total', (row) => row.total),
    amount('By us', (row) => row.ours),
    amount('Difference', (row) => row.difference),
  ]);
}

/** Against the schedule, and what of the difference is claimed. */
export function schedule({ fees, environment: only }: Report): Section {
  const about = { name: 'Fees by the schedule', title: 'Charged otherwise than the schedule says', totals: false };
  const rows = (fees.audit ?? []).map((row) => ({
    ...row,
    claimed: fees.claimed.find((one) => one.environment === row.environment && one.currency === row.currency) ?? null,
  }));
  return section(about, rows, [
    ...environment(only),
    currency(),
    count('Charges', (row) => row.rows),
    count('As the schedule', (row) => row.agreed),
    count('Without a rule', (row) => row.withoutRule),
    count('Not stated', (row) => row.unstated),
    amount('Overcharged', (row) => row.overcharged),
    amount('Undercharged', (row) => row.undercharged),
    amount('Difference', (row) => row.difference),
    count('Claims', (row) => row.claimed?.claims ?? 0),
    amount('Claimed', (row) => row.claimed?.amount ?? '0.00'),
  ]);
}
