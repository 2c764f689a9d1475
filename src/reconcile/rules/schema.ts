import { z } from 'zod';
import { numberFromText } from '../../config/settings.ts';
import { cutOffMinutesIn } from '../../domain/reconciling/business-day.ts';
import { INVOICED, type Leg, PASSES, type Term } from '../../domain/reconciling/rules.ts';
import { RECORD_KINDS } from '../../domain/records/lifecycle.ts';
import { LINE_TYPES, STATEMENT_KINDS } from '../../domain/statements/lines.ts';
import { choice, fileName, MAP, TEXT, text } from '../settings-file/kinds.ts';
import { feeRuleSchema } from './schedule-schema.ts';

// The one description of a rules file: load.ts checks files against it, docs/reconciliation.md explains it, and
// templates/rules/rules.schema.json is generated from it for editors. Rules about several settings are in cross-rules.ts.

/** What `reconcile` takes in place of the name of a leg. */
const TAKEN_NAMES = ['refunds', 'payouts', 'collections', 'all'];

const whole = (least: number, most: number) => {
  const rule = `must be a whole number from ${least} to ${most}`;
  return z.preprocess(numberFromText, z.int(rule).min(least, rule).max(most, rule));
};

const listOf = <Item extends z.ZodType>(item: Item, what: string) =>
  z.array(item, `must be a list of ${what}`).min(1, `must name at least one of ${what}`);

const TERM = 'must have one of hour and business_day';
const term = () =>
  z
    .strictObject(
      {
        hour: whole(1, 8_784).optional().describe('Hours after the instant of our row.'),
        business_day: whole(0, 366)
          .optional()
          .describe('Business days after the day of our row; it is due at the end of the last.'),
      },
      TERM,
    )
    .refine(({ hour, business_day }) => (hour === undefined) !== (business_day === undefined), TERM)
    .transform(({ hour, business_day = 0 }): Term => (hour === undefined ? { business_day } : { hour }));

const SIDE = 'must have exactly one of records, batches and topUps';
const ours = z
  .strictObject(
    {
      records: listOf(choice(RECORD_KINDS), RECORD_KINDS.join(', ')).optional().describe('Records of these kinds.'),
      optional: listOf(choice(RECORD_KINDS), RECORD_KINDS.join(', '))
        .optional()
        .describe('Those of the records that are compared where a line shows them; without a line, none is missing.'),
      batches: choice(['settlement'])
        .optional()
        .describe('The batches of settlement statements: their lines, by group.'),
      topUps: choice(['wallet']).optional().describe('The lines of type top_up of wallet statements.'),
    },
    SIDE,
  )
  .refine(
    ({ optional: _optional, ...sides }) => Object.values(sides).filter((side) => side !== undefined).length === 1,
    SIDE,
  )
  .transform(({ records, optional, batches, topUps }): Leg['ours'] => {
    if (records !== undefined) return optional === undefined ? { records } : { records, optional };
    return batches === undefined ? { topUps: topUps ?? 'wallet' } : { batches };
  });

const tolerance = (description: string) =>
  z
    .strictObject({ minor: whole(0, 1_000_000).transform(BigInt).describe('In minor units: 1 is 0.01.') }, MAP)
    .prefault({ minor: 0 })
    .describe(description);

const leg = z.strictObject(
  {
    name: z
      .string(TEXT)
      .trim()
      .regex(
        /^[a-z][a-z0-9-]{0,63}$/,
        'must be a name of lower-case letters, digits and hyphens, such as records-wallet',
      )
      .refine((name) => !TAKEN_NAMES.includes(name), `must not be ${TAKEN_NAMES.join(', ')}: reconcile has these words`)
      .describe('Name of the leg: tallyhook reconcile NAME.'),
    ours: ours.describe('The internal side: records, settlement batches, or top-ups of a wallet.'),
    theirs: z
      .strictObject(
        {
          statement: choice(STATEMENT_KINDS).describe('The kind of the statements.'),
          types: listOf(choice(LINE_TYPES), 'types of lines').describe(
            'The types of their lines that stand in this leg.',
          ),
        },
        MAP,
      )
      .describe('The external side: lines of a statement.'),
    compare: z
      .strictObject(
        {
          amount: choice(['exact'], 'must be exact').default('exact').describe('Amounts have no tolerance.'),
          fee: tolerance('Largest difference in the fee that is no break.'),
          tax: tolerance('Largest difference in the tax that is no break.'),
          duty: tolerance('Largest difference in the stamp duty that is no break.'),
        },
        MAP,
      )
      .prefault({})
      .describe('What is compared, within what.')
      .transform(({ fee, tax, duty }) => ({ fee, tax, duty })),
    due: z
      .strictObject(
        {
          default: term().describe('For every status that is not named.'),
          statuses: z.record(z.string(), term(), MAP).default({}).describe('By the status of the record.'),
        },
        MAP,
      )
      .describe('How long the counterpart may take; before that, a row without one is timing.'),
    passes: listOf(choice(PASSES), 'passes').describe('Attempts to find the counterpart, in this order.'),
    invoiced: choice(INVOICED)
      .nullable()
      .default(null)
      .describe(
        'Fees are charged in lines of type fee or tax without a reference, one for the payments of its day, its month or the month before. null: each with its payment.',
      ),
  },
  MAP,
);

/** The rules of matching, and the fee schedule. */
export const rulesSchema = z.strictObject(
  {
    version: z.preprocess(numberFromText, z.literal(1, 'must be 1')).meta({ description: 'Version of this form: 1.' }),
    name: fileName().describe('Name of the rules; every report shows it.'),
    cutOff: z
      .string('must be a time of day such as 18:00')
      .refine((value) => cutOffMinutesIn(value) !== null, 'must be a time of day such as 18:00, or 24:00 for midnight')
      .nullable()
      .default(null)
      .describe('When a business day ends; null: as --cut-off says (24:00).'),
    calendar: text()
      .nullable()
      .default(null)
      .describe('File with days without business, relative to this file; null: Saturday and Sunday alone.'),
    legs: listOf(leg, 'legs').describe('The pairs of sides that are held against each other.'),
    schedule: z
      .array(feeRuleSchema, 'must be a list of fee rules')
      .default([])
      .describe('What the service should charge, by date.'),
  },
  MAP,
);

export type RulesValues = z.output<typeof rulesSchema>;
