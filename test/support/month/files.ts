import { BANK, BOOKS, FILE_FAULTS, LIVE_WALLET, SETTLEMENTS, WALLETS } from './accounts.ts';
import type { Business } from './business.ts';
import { october } from './days.ts';
import { DIALECTS, type Dialect } from './dialects.ts';
import { JUMP } from './faults/files.ts';
import { sumOf } from './money.ts';
import type { AccountName, FileLine } from './story.ts';

/** One file of an account: days, dialect, and balances as they really were. */
export interface FilePlan {
  readonly account: AccountName;
  readonly dialect: Dialect;
  readonly from: string;
  readonly to: string;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly lines: readonly FileLine[];
  /** What the file states wrongly about itself. */
  readonly fault: 'rows' | 'sum' | 'closing' | 'running' | 'net' | null;
}

/** A file with more lines is no spreadsheet, which has limits of its own. */
const MOST_IN_A_SPREADSHEET = 50_000;

type Chunk = readonly [first: number, last: number, dialect: Dialect];
const { plain, decimalComma, feeRows, minorUnits, parentheses, utf16Tab, spreadsheet } = DIALECTS;
const { grossAndNet, newestFirst, ownWords, netOnly, sums } = DIALECTS;

/** The files of each account, October's and the next month's first days. */
const CHUNKS: readonly (readonly [AccountName, readonly Chunk[]])[] = [
  [
    WALLETS.NGN,
    [
      [1, 8, plain],
      [9, 15, decimalComma],
      [16, 23, feeRows],
      [24, 31, minorUnits],
      [32, 40, plain],
    ],
  ],
  [
    WALLETS.USD,
    [
      [1, 15, parentheses],
      [16, 31, utf16Tab],
      [32, 40, parentheses],
    ],
  ],
  [WALLETS.GHS, [[1, 31, spreadsheet]]],
  [LIVE_WALLET, [[1, 31, netOnly]]],
];
const WITH_SETTLEMENTS: typeof CHUNKS = [
  [
    SETTLEMENTS,
    [
      [1, 31, grossAndNet],
      [32, 40, grossAndNet],
    ],
  ],
  [
    BANK,
    [
      [1, 31, newestFirst],
      [32, 40, newestFirst],
    ],
  ],
];
const WITH_BOOKS: typeof CHUNKS = [
  [
    BOOKS,
    [
      [1, 31, ownWords],
      [32, 40, ownWords],
    ],
  ],
];
const OF_FAULTS: typeof CHUNKS = [
  [
    FILE_FAULTS.days,
    [
      [1, 10, parentheses],
      [15, 31, parentheses],
    ],
  ],
  [
    FILE_FAULTS.opening,
    [
      [1, 15, parentheses],
      [16, 31, parentheses],
    ],
  ],
  [FILE_FAULTS.rows, [[1, 31, parentheses]]],
  [FILE_FAULTS.sum, [[1, 31, sums]]],
  [FILE_FAULTS.closing, [[1, 31, parentheses]]],
  [FILE_FAULTS.running, [[1, 31, plain]]],
  [FILE_FAULTS.net, [[1, 31, grossAndNet]]],
];
const FAULT_OF = new Map<string, FilePlan['fault']>(
  (['rows', 'sum', 'closing', 'running', 'net'] as const).map((fault) => [FILE_FAULTS[fault].name, fault]),
);

/** Cuts the lines of every account into its files, and begins and ends each of them on its first and last day. */
export function planFiles(business: Business): FilePlan[] {
  const { book, options } = business;
  const withFaults = book.lines.some(({ account }) => account === FILE_FAULTS.days);
  const all = [
    ...CHUNKS,
    ...(options.settlements ? WITH_SETTLEMENTS : []),
    ...(options.books ? WITH_BOOKS : []),
    ...(withFaults ? OF_FAULTS : []),
  ];
  for (const [account, chunks] of all) {
    for (const day of new Set(chunks.flatMap((chunk) => chunk.slice(0, 2) as number[]))) {
      book.line(account, october(day), 'adjustment', business.amount(), { asOurs: true });
    }
  }
  const byAccount = Map.groupBy(book.lines, ({ account }) => account);
  return all.flatMap(([account, chunks]) => filesOf(account, chunks, byAccount.get(account) ?? []));
}

function filesOf(account: AccountName, chunks: readonly Chunk[], lines: readonly FileLine[]): FilePlan[] {
  let balance = account === LIVE_WALLET ? 700_000_000n : 5_000_000_000n;
  return chunks.map(([first, last, dialect], index) => {
    const [from, to] = [october(first), october(last)];
    const own = lines
      .filter(({ day }) => from <= day && day <= to)
      .sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : one.sequence - other.sequence));
    if (account === FILE_FAULTS.opening && index === 1) balance += JUMP;
    const opening = balance;
    balance += sumOf(own.map(({ amount }) => amount));
    const written = own.length > MOST_IN_A_SPREADSHEET && dialect === spreadsheet ? utf16Tab : dialect;
    return {
      account,
      dialect: written,
      from,
      to,
      opening,
      closing: balance,
      lines: own,
      fault: FAULT_OF.get(account.name) ?? null,
    };
  });
}

/** Another cut of the same lines: a file of each account for the days up to each of `ends`, all in one dialect. */
export function cutFiles(lines: readonly FileLine[], ends: readonly number[]): FilePlan[] {
  const chunks = ends.map((last, index): Chunk => [1 + (ends[index - 1] ?? 0), last, parentheses]);
  return [...Map.groupBy(lines, ({ account }) => account)].flatMap(([account, own]) => filesOf(account, chunks, own));
}
