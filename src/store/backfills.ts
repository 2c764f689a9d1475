/** How a walk along the list ended: at its end, at a limit of ours, or by an error. Only a complete one proves absence. */
export const BACKFILL_OUTCOMES = ['complete', 'limited', 'failed'] as const;
export type BackfillOutcome = (typeof BACKFILL_OUTCOMES)[number];
