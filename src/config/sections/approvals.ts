import { z } from 'zod';
import { numberFromText, onOff, section, wholeNumber } from '../settings.ts';

const MOST_ROWS = 1_000_000;
const ROWS_RULE = `must be null or a whole number of rows from 0 to ${MOST_ROWS}`;

/** What needs a second person, besides `approveAbove` of a reason code and the approval of a period. */
export const approvals = section({
  replayRows: rows(
    'Rows of news that may be handed on again within 24 hours without a second person; null: any number.',
  ),
  dropRows: rows('Rows of news that may be dropped within 24 hours without a second person; null: any number.'),
  revealRows: rows(
    'Rows whose personal data may be shown whole within 24 hours without a second person; null: any number.',
  ),
  statementRemove: onOff(false, 'Whether removing a statement with matches needs a second person.'),
  periodReopen: onOff(false, 'Whether opening a closed period again needs a second person.'),
  targetEnable: onOff(false, 'Whether enabling a disabled target needs a second person.'),
  users: onOff(false, 'Whether roles, tokens and links for other users need a second person.'),
  validHours: wholeNumber(1, 720, 72, 'Hours after which a request expires, approved or not.'),
});

function rows(description: string) {
  return z
    .preprocess(numberFromText, z.int(ROWS_RULE).min(0, ROWS_RULE).max(MOST_ROWS, ROWS_RULE).nullable())
    .default(null)
    .meta({ description, default: null });
}
