import { z } from 'zod';
import { numberFromText, section } from '../settings.ts';

const MOST_DAYS = 36_500;
const DAYS_RULE = `must be null or a whole number of days from 1 to ${MOST_DAYS}`;

/** The ages at which bodies and personal data are pruned. */
export const prune = section({
  afterDays: days('Days from the last change of a settled record to its pruning (bodies, personal data); null: never.'),
  textsAfterDays: days(
    'Days from the end of a closed period until texts and counterparties of its lines, and comments, are erased; null: never.',
  ),
  reportsAfterDays: days('Days from the end of a closed period until its frozen report is erased; null: never.'),
});

function days(description: string) {
  return z
    .preprocess(numberFromText, z.int(DAYS_RULE).min(1, DAYS_RULE).max(MOST_DAYS, DAYS_RULE).nullable())
    .default(null)
    .meta({ description, default: null });
}
