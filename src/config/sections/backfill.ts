import { section, wholeNumber } from '../settings.ts';

/** How far a walk along the service's list of refunds goes. */
export const backfill = section({
  maxPages: wholeNumber(1, 1_000_000, 10_000, 'Pages of the list of refunds that one walk reads at most.'),
  maxRows: wholeNumber(1, 10_000_000, 200_000, 'Rows that one walk reads at most; it keeps each reference in memory.'),
  maxMinutes: wholeNumber(1, 1_440, 60, 'How long one walk takes at most.'),
  overlapHours: wholeNumber(0, 8_760, 24, 'Absence is judged from this long before the last complete walk.'),
});
