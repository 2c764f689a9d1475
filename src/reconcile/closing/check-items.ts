/** What a person works through before a period is closed, in this order. */
export const CHECK_ITEMS = [
  'run', // one run covers exactly these days, and nothing came since
  'statements', // every statement is there, without gaps
  'closing_balance', // theirs is ours
  'unparsed', // no row that could not be read
  'control', // each file agrees with its own totals
  'unexplained', // 0.00
  'exceptions', // resolved
  'approvals', // given
  'reserves', // of refunds: what rolls forward
  'suggestions', // and what is not due yet: carried by themselves
  'late_items', // of closed periods
  'previous_period', // closed
] as const;
export type CheckName = (typeof CHECK_ITEMS)[number];

/** `explained`: a difference whose breaks are all resolved. `note`: worth knowing. Only `open` keeps a period from being closed. */
export type CheckState = 'ok' | 'explained' | 'open' | 'note';

export interface CheckItem {
  readonly name: CheckName;
  readonly state: CheckState;
  readonly count: number;
  readonly text: string;
  /** The next command or step; null: nothing is to do. */
  readonly next: string | null;
}

/** An item without anything to do. */
export function fine(name: CheckName, text: string): CheckItem {
  return { name, state: 'ok', count: 0, text, next: null };
}

export function open(name: CheckName, count: number, text: string, next: string): CheckItem {
  return { name, state: 'open', count, text, next };
}

export function noted(name: CheckName, count: number, text: string, next: string | null = null): CheckItem {
  return { name, state: 'note', count, text, next };
}

export function explained(name: CheckName, count: number, text: string): CheckItem {
  return { name, state: 'explained', count, text, next: null };
}
