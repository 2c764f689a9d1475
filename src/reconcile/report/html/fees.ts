import { isZero } from '../decimal.ts';
import type { Report } from '../model.ts';
import { type Block, cell, figure, head, placeName, row, type Section } from './blocks.ts';
import { counted, grouped, signed } from './text.ts';

/** What the service charged, by the statements; what the schedule says of it; and what of it is claimed. */
export function fees({ fees: { charged, audit, claimed }, environment: only }: Report): Section {
  const blocks: Block[] = [];
  if (charged.length > 0)
    blocks.push({
      title: 'Charged',
      chart: null,
      table: {
        caption: 'Fees, tax and duty by the statements',
        columns: [
          head('Account'),
          ...['Fees', 'Refund fees', 'Tax', 'Duty', 'Total', 'By our records', 'Difference'].map(figure),
        ],
        rows: charged.map((one) =>
          row(
            placeName(one, only),
            ...[one.fees, one.refundFees, one.tax, one.duty, one.total, one.ours].map(grouped),
            cell(signed(one.difference), { mark: isZero(one.difference) ? undefined : 'bad' }),
          ),
        ),
      },
    });
  if (audit !== null && audit.length > 0)
    blocks.push({
      title: 'Against the schedule',
      chart: null,
      table: {
        caption: 'Charges against the fee schedule of the rules',
        columns: [
          head('Currency'),
          ...[
            'Charged',
            'As scheduled',
            'Without a rule',
            'Unstated',
            'Too much',
            'Overcharged',
            'Too little',
            'Undercharged',
            'Difference',
          ].map(figure),
        ],
        rows: audit.map((one) =>
          row(
            placeName(one, only),
            ...[one.rows, one.agreed, one.withoutRule, one.unstated, one.overLines].map(counted),
            grouped(one.overcharged),
            counted(one.underLines),
            grouped(one.undercharged),
            cell(signed(one.difference), { mark: isZero(one.difference) ? undefined : 'bad' }),
          ),
        ),
      },
    });
  if (claimed.length > 0)
    blocks.push({
      title: 'Claimed',
      chart: null,
      table: {
        caption: 'Differences in fees that are claimed from the service',
        columns: [head('Currency'), figure('Claims'), figure('Amount')],
        rows: claimed.map((one) => row(placeName(one, only), counted(one.claims), grouped(one.amount))),
      },
    });
  return {
    id: 'fees',
    title: 'Fees, tax and duty',
    lead:
      audit === null
        ? 'The rules have no fee schedule, so no charge is held against one.'
        : 'Each charge is held against the fee schedule of the rules.',
    blocks,
    nothing: 'Nothing was charged.',
  };
}
