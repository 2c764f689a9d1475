/*
 * The part of the port for spreadsheets of exceptions: each is applied once, by one process at a time.
 */

/** The spreadsheet that acts come from. */
export interface ActingSheet {
  readonly digest: string;
  readonly file: string;
  /**
   * By whom it is known from the end of this call on, so that a second import changes nothing. Say it with the last acts. It counts when one
   * of them was done, or when there are none.
   */
  readonly remember?: string;
  /** Of `beginSheet`, renewed by each transaction; missing in a dry run. */
  readonly lease?: number;
}

/** Whether the import of a spreadsheet begins. */
export type SheetBegun =
  | { readonly outcome: 'begun'; readonly lease: number }
  /** It was applied before. */
  | { readonly outcome: 'known' }
  /** Another import of the same file is under way. Its lease is over when it ends, its process is gone, or it writes no more. */
  | { readonly outcome: 'busy' };

export interface SheetImports {
  /** Leases a spreadsheet, by its digest, for one import. */
  readonly beginSheet: (order: { readonly digest: string }) => Promise<SheetBegun>;
  /** Ends the lease. What was remembered stays so. */
  readonly endSheet: (order: { readonly lease: number }) => Promise<void>;
}
