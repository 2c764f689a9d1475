import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/environment.ts';
import { isDay } from '../../domain/reconciling/business-day.ts';
import { numberFromText, section } from '../settings.ts';

const MOST_DAYS = 366;
const DAYS_RULE = `must be null or a whole number of days from 1 to ${MOST_DAYS}`;
const SET_RULE = 'must be a map with environment and accounts';
const ACCOUNTS_RULE = 'must be a list of names of accounts';
const UNTIL_RULE = 'must be a day such as 2026-10-14';
const NAME_RULE = 'must be 1 to 60 letters, digits, dots, dashes or underscores, and begin with a letter or digit';

/** Which accounts are closed together, and by when. */
export const periods = section({
  sets: z
    .record(
      z.string().regex(/^[A-Za-z0-9][\w.-]{0,59}$/, NAME_RULE),
      z.strictObject(
        {
          environment: z
            .enum(ENVIRONMENTS, `must be one of ${ENVIRONMENTS.join(', ')}`)
            .describe('Environment of its accounts.'),
          accounts: z
            .array(z.string(ACCOUNTS_RULE).regex(/\S/, ACCOUNTS_RULE), ACCOUNTS_RULE)
            .min(1, 'must name an account')
            .describe('Names of its accounts, as their profiles give them.'),
        },
        SET_RULE,
      ),
      'must be a map of sets, each a map with environment and accounts',
    )
    .default({})
    .describe('Accounts that are closed together, by a name; without any, all accounts of an environment.'),
  until: z
    .record(
      z.string().regex(/\S/, 'is no name of an account'),
      z.string(UNTIL_RULE).refine(isDay, UNTIL_RULE),
      'must be a map of accounts, each with its last day',
    )
    .default({})
    .describe('Accounts that were closed, each with its last day: no statement of later days is expected.'),
  closeWithin: days(
    10,
    'Business days after its end within which a month is to be closed; later is an alert. null: never.',
  ),
  statementWithin: days(
    7,
    'Days after the end of its last statement within which the next one of an account is to be there; later is an alert. null: never.',
  ),
});

function days(standard: number, description: string) {
  return z
    .preprocess(numberFromText, z.int(DAYS_RULE).min(1, DAYS_RULE).max(MOST_DAYS, DAYS_RULE).nullable())
    .default(standard)
    .meta({ description, default: standard });
}
