/** The first and the last day of a period. */
export interface Days {
  readonly from: string;
  readonly until: string;
}

/** A period with the days before it that count. */
export interface OpenedDays extends Days {
  /** Where our own opening balance stands, else `from`. */
  readonly begin: string;
  /** The first day that is looked at. */
  readonly first: string;
}
