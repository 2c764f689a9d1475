/** The days of a run: what is reported, and from where on everything counts. */
export interface Window {
  /** The period. */
  readonly from: string;
  readonly until: string;
  /** Where our own opening balance stands, else `from`. */
  readonly begin: string;
  /** The first day that is looked at: with an opening balance of ours, what is open from before counts. */
  readonly first: string;
  /** The day before `from`. */
  readonly eve: string;
  /** The day of the as-at time. */
  readonly asAtDay: string;
}

/** Whether a day belongs to the period. */
export function isDayOf({ from, until }: Window, day: string): boolean {
  return day >= from && day <= until;
}
