import { FILE_FAULTS, PROVEN, WALLETS } from './accounts.ts';
import type { Book } from './book.ts';
import { Business } from './business.ts';
import { clean } from './clean.ts';
import * as batches from './faults/batches.ts';
import * as fields from './faults/fields.ts';
import { faultsOfFiles } from './faults/files.ts';
import * as findings from './faults/findings.ts';
import { expectUnreadable, unknownWord, unreadablePayment, unreadableStranger } from './faults/rows.ts';
import * as schedule from './faults/schedule.ts';
import * as sides from './faults/settled-and-booked.ts';
import * as statuses from './faults/statuses.ts';
import * as ties from './faults/ties.ts';
import * as topUps from './faults/top-ups.ts';
import * as wallet from './faults/wallet.ts';
import { type FilePlan, planFiles } from './files.ts';
import { type ExpectedProof, proofOf } from './proof.ts';

export interface MonthOrder {
  readonly seed: number;
  /** Pieces of business without a fault. */
  readonly clean: number;
  /** How often each fault is planted. */
  readonly each: number;
  /** Whether the merchant's own books are a statement (true). */
  readonly books?: boolean;
  /** Whether there are faults of whole files and rows that cannot be read (true). Both are about the cut of the files. */
  readonly fileFaults?: boolean;
  /** Whether webhooks and service contradict each other (true): the fast way into a store cannot. */
  readonly findings?: boolean;
}

const { SCHEDULE: _, ...OF_SCHEDULE } = schedule;

/** A month whose only faults are judged by the fee schedule `SCHEDULE`. */
export function makeScheduledMonth(seed: number): Month {
  const business = new Business({ seed, books: false, settlements: true });
  for (const plant of Object.values(OF_SCHEDULE)) for (let time = 0; time < 3; time++) plant(business);
  business.payBatches();
  const files = planFiles(business);
  const { book } = business;
  return { book, files, proofs: [proofOf(book, WALLETS.NGN, openingOf(files, WALLETS.NGN.name))] };
}

/** A month of business with a known answer. */
export interface Month {
  readonly book: Book;
  readonly files: readonly FilePlan[];
  readonly proofs: readonly ExpectedProof[];
}

type Plant = (business: Business) => void;
const FAULTS: readonly Plant[] = [
  ...Object.values(wallet),
  ...Object.values(fields),
  ...Object.values(ties),
  ...Object.values(statuses),
  ...Object.values(batches),
  ...Object.values(topUps),
  ...Object.values(sides),
  unknownWord,
];
const OF_FILES: readonly Plant[] = [unreadablePayment, unreadableStranger];

const OF_BOOKS = new Set<Plant>([
  ...[sides.notBooked, sides.bookedStranger, sides.bookedDifferently, sides.notBookedYet, ties.bookedTwice],
]);

/** Makes a month of October 2026. The same order gives the same month. */
export function makeMonth({ seed, clean: count, each, books = true, ...order }: MonthOrder): Month {
  const business = new Business({ seed, books, settlements: true });
  const { fileFaults = true, findings: ofFindings = true } = order;
  const plants = [...FAULTS, ...(fileFaults ? OF_FILES : []), ...(ofFindings ? Object.values(findings) : [])].filter(
    (plant) => books || !OF_BOOKS.has(plant),
  );
  clean(business, count);
  for (let time = 0; time < each; time++) for (const plant of plants) plant(business);
  if (each > 0 && fileFaults) faultsOfFiles(business);
  business.payBatches();
  const files = planFiles(business);
  expectUnreadable(business, (account) =>
    files.filter((file) => file.account === account).map(({ lines }) => [...lines]),
  );
  const { book } = business;
  const accounts =
    each > 0 && fileFaults ? PROVEN : PROVEN.filter((one) => !(Object.values(FILE_FAULTS) as unknown[]).includes(one));
  return { book, files, proofs: accounts.map((account) => proofOf(book, account, openingOf(files, account.name))) };
}

function openingOf(files: readonly FilePlan[], account: string): bigint {
  return files.find((file) => file.account.name === account)?.opening ?? 0n;
}
