import type { AccountName, ExpectedItem, FileLine, OurRecord, ProofRow } from './story.ts';
import { ROW_OF_TYPE } from './story.ts';

interface Posting {
  readonly account: AccountName;
  readonly row: ProofRow;
  readonly amount: bigint;
  readonly day: string;
}

export interface Either {
  readonly plant: string;
  readonly ours: string;
  readonly line: FileLine;
  readonly effects: { readonly ours: bigint; readonly theirs: bigint };
}

/** What the stories of a month have written: everything that a file, a store and an expectation are made from. */
export class Book {
  readonly records: OurRecord[] = [];
  readonly lines: FileLine[] = [];
  readonly ours: Posting[] = [];
  readonly theirs: Posting[] = [];
  readonly expected: ExpectedItem[] = [];
  readonly matched = new Map<string, number>();
  /** Timing about these references may be listed beside when its effect is 0.00: the specification does not say. */
  readonly tolerated = new Set<string>();
  /** Per leg, rows of which the specification does not say whether they count as matched. */
  readonly maybeMatched = new Map<string, number>();
  /** A row of ours and a line of equal amount and day: either both are breaks, or they are one suggestion. */
  readonly either: Either[] = [];
  /** Stated balances that are not what the lines add up to: account and what the statement says more. */
  readonly misstated: { readonly account: AccountName; readonly by: bigint; readonly day: string }[] = [];
  #sequence = 0;

  record(record: OurRecord): OurRecord {
    this.records.push(record);
    return record;
  }

  /** Adds a line, and books it on the statement's side. `asOurs`: what has no other side stands on both. */
  line(
    account: AccountName,
    day: string,
    type: FileLine['type'],
    amount: bigint,
    over: Partial<FileLine> & { readonly asOurs?: boolean } = {},
  ): FileLine {
    const { asOurs = false, ...more } = over;
    const line: FileLine = {
      ...{ account, day, type, amount, fee: null, tax: null, duty: null },
      ...{ reference: null, sessionId: null, transactionReference: null, group: null, word: null, unreadable: null },
      ...more,
      sequence: this.#sequence++,
    };
    this.lines.push(line);
    for (const [row, part] of partsOf(line)) {
      this.theirs.push({ account, row, amount: part, day });
      if (asOurs) this.ours.push({ account, row, amount: part, day });
    }
    return line;
  }

  post(account: AccountName, day: string, rows: Partial<Record<ProofRow, bigint>>): void {
    for (const [row, amount] of Object.entries(rows)) this.ours.push({ account, row: row as ProofRow, amount, day });
  }

  expect(item: ExpectedItem): void {
    this.expected.push(item);
  }

  match(leg: string): void {
    this.matched.set(leg, (this.matched.get(leg) ?? 0) + 1);
  }

  maybeMatch(leg: string): void {
    this.maybeMatched.set(leg, (this.maybeMatched.get(leg) ?? 0) + 1);
  }
}

/** A line by component: its principal, and the fee, tax and duty that it says (docs/matching.md, Groups). */
function partsOf(line: FileLine): readonly (readonly [ProofRow, bigint])[] {
  const { fee, tax, duty, amount, type, word, unreadable } = line;
  if (word !== null || unreadable !== null) return [['other', amount]];
  const charges = (fee ?? 0n) + (tax ?? 0n) + (duty ?? 0n);
  const parts: [ProofRow, bigint][] = [
    [ROW_OF_TYPE[type], amount + charges],
    [type === 'refund' ? 'refund_fees' : 'fees', -(fee ?? 0n)],
    ['tax', -(tax ?? 0n)],
    ['duty', -(duty ?? 0n)],
  ];
  return parts.filter(([, part]) => part !== 0n);
}
