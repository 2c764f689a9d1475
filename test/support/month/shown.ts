/** An item of a report, as `reconcile --json` prints it. */
export interface ShownItem {
  readonly code: string;
  readonly sub: string | null;
  readonly reference: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
  readonly effect: string;
  readonly line: { readonly row: number } | null;
}

/** `amount_mismatch/over_refunded TX_1 10.00 12.00 0.00`: code, reference, both values and effect. */
export function shown({ code, sub, reference, ours, theirs, effect }: ShownItem): string {
  return [sub === null ? code : `${code}/${sub}`, reference, ours, theirs, effect].join(' ');
}

/** The same, and the row of its line. */
export function shownWithRow(item: ShownItem): string {
  return `${shown(item)} row ${item.line?.row}`;
}
