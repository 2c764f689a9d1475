import { candidateName } from '../matching/candidate.ts';
import { argumentText, optionText } from '../records/advised-word.ts';
import {
  AFTER_CHARGES,
  askReserve,
  detail,
  fixed,
  paidTwice,
  type Told,
  text,
  type WordsOfSubs,
  whyCommand,
} from './told.ts';

// What is said of an item that comes from a statement.

/** For a line of another business on an account of a bank. */
const OTHER_TYPE =
  'let `types` of the profile, under a new name, make such lines `other`; then remove the statement and import it again.';

export const OF_STATEMENTS = {
  missing_internal: {
    why: ({ theirs, detail }) =>
      detail === null
        ? `the statement shows ${text(theirs)}, and no record of ours has it`
        : `the statement shows ${text(theirs)}, and a person said that it does not belong to ${detail}`,
    next: ({ kind, reference }) =>
      kind === 'batch'
        ? `Import the settlement statement that has its batch. If the service did not pay it: ${OTHER_TYPE}`
        : kind === 'top_up'
          ? `Import the statement of the wallet of that day. If it went elsewhere: ${OTHER_TYPE}`
          : reference === null
            ? 'Find out what it paid for; if it is no payment of yours, ask who sent the file.'
            : `Ask the service about it: tallyhook why ${argumentText(reference)}; if it knows none, ask who sent the file.`,
  },
  missing_external: {
    why: (one) => `our ${thing(one)} of ${text(one.ours)} should have its line by ${one.firstSeen}`,
    next: fixed('Ask the service, bank or bookkeeper of the account where this money is.'),
  },
  amount_mismatch: {
    why: ({ field, ours, theirs, detail }) =>
      `${field} ${text(theirs)}${detail === AFTER_CHARGES ? ` ${detail}` : ''}, our records say ${text(ours)}`,
    next: fixed('Hold both against the order, then claim the difference or correct your books.'),
    subs: {
      over_charged_back: {
        why: ({ ours, theirs }) => `${text(theirs)} was charged back of ${text(ours)} collected`,
        next: ({ reference }) =>
          `Look at the chargebacks of ${reference} in the statements; ask the service to give back the one too many.`,
      },
    },
  },
  fee_mismatch: {
    why: ({ ours, theirs }) => `fee ${text(theirs)}, our records say ${text(ours)}`,
    next: fixed('Hold the fee against your contract, then claim the difference.'),
  },
  duty_mismatch: {
    why: ({ ours, theirs }) => `stamp duty ${text(theirs)}, our records say ${text(ours)}`,
    next: fixed('Hold the duty against the law of that day, then claim the difference.'),
  },
  tax_mismatch: {
    why: ({ ours, theirs }) => `tax ${text(theirs)}, schedule says ${text(ours)}`,
    next: fixed('Hold the tax against the law of that day, then claim the difference.'),
  },
  currency_mismatch: {
    why: ({ ours, theirs }) => `the statement is in ${text(theirs)}, our record in ${text(ours)}`,
    next: fixed('Ask the service which currency the money moved in.'),
  },
  status_mismatch: {
    why: ({ ours, theirs }) => `our record is ${text(ours)}, the statement shows it ${text(theirs)}`,
    next: ({ reference }) =>
      `Ask the service for its status: tallyhook sweep ${optionText('reference', reference ?? '')}`,
  },
  fact_mismatch: {
    why: ({ ours, theirs }) => `the statement says that it belongs to ${text(theirs)}, our record to ${text(ours)}`,
    next: ({ reference }) => `Ask the service which transaction refund ${reference} gave back.`,
  },
  duplicate_internal: {
    why: (one) => (one.kind === 'top_up' ? `the wallet has another top-up ${one.reference}` : paidTwice.why(one)),
    next: (one) =>
      one.kind === 'top_up' ? `Ask the service whether top-up ${one.reference} was booked twice.` : paidTwice.next(one),
  },
  duplicate_external: {
    why: fixed('another line of this reference says the same, or stands for it'),
    next: fixed('Ask the service, bank or bookkeeper of the account whether the money moved twice.'),
  },
  ambiguous: {
    why: ({ candidates, detail }) =>
      candidates.length === 1
        ? `it may belong to ${candidates.map(candidateName).join()}, and nothing tells whether it does`
        : `it may belong to any of ${candidates.map(candidateName).join(', ')}${detail === null ? '' : ` ${detail}`}`,
    next: (one) => `Look at its candidates, then say which one it is${example(one)}`,
  },
  split_incomplete: {
    why: ({ ours, theirs }) => `the lines of this batch add up to ${text(ours)}, and ${text(theirs)} was paid`,
    next: fixed('Ask the service which payments the batch holds.'),
  },
  reserve_mismatch: {
    why: ({ ours, theirs }) => `reserved ${text(theirs)}, our records say ${text(ours)}`,
    next: askReserve,
  },
  unparsed: {
    why: detail,
    next: fixed('Mend the row in the file or the profile; then remove the statement and import it again.'),
  },
  unclassified: {
    why: (one) => `the profile does not know the word "${one.detail}"`,
    next: fixed(
      'Add the word to `types` of the profile under a new name; then remove the statement and import it again.',
    ),
  },
  control_mismatch: {
    why: ({ field, ours, theirs, detail }) =>
      `${field}: the file says ${text(theirs)}, its lines make ${text(ours)}${also(detail)}`,
    next: fixed('Ask for the file again: rows may be missing or altered.'),
  },
  statement_gap: {
    why: ({ field, ours, theirs, detail }) => {
      if (theirs === null || text(ours) === text(theirs)) return detail ?? '';
      return field === 'lines'
        ? `${detail}; the lines of both make ${text(ours)}, and the file that ends last closes with ${text(theirs)}`
        : `it opens with ${text(theirs)}, the statements before it end with ${text(ours)}${also(detail)}`;
    },
    next: fixed('Import the statement of the missing days.'),
    subs: {
      begin: {
        why: ({ ours, theirs, detail, firstSeen }) =>
          theirs === null || text(ours) === text(theirs)
            ? (detail ?? '')
            : `on ${firstSeen} it begins with ${text(theirs)}, \`reconcile.begin\` makes ${text(ours)}${also(detail)}`,
        next: fixed('Correct the balance of `reconcile.begin`, or import the statement of the days before.'),
      },
      contradicting: { next: (one) => removeOutdated(one) },
      lacking: { next: (one) => removeOutdated(one) },
      repeating: {
        next: (one) =>
          `If both moved money, put the lines of both files into one file, remove both (${listOf(one)}), and import it.`,
      },
    },
  },
  late_arrival: {
    why: (one) => `it became known after its period was closed: ${one.detail}`,
    next: fixed('Book it in this period; it never changes the closed one. The next close ends it.'),
  },
  timing: {
    why: (one) =>
      one.side === 'ours'
        ? `our ${thing(one)} of ${text(one.ours)}: ${one.detail}`
        : `the statement shows ${text(one.theirs)} before our ${thing(one)}${one.detail === null ? '' : ` of ${one.detail}`}`,
    next: fixed('Wait: it is reported as a break when its time is over, and ends with its line.'),
  },
  suggested: {
    why: ({ detail }) =>
      `${detail === 'settlement_day' ? 'the batch of that day has this sum' : 'amount and date agree'}, and nothing else says that they belong together`,
    next: fixed('If they belong together, confirm it: tallyhook matches list --state suggested'),
  },
  unexplained: {
    why: fixed('what is said of it does not add up to what it moved'),
    next: (one) => `The program judged it wrongly. Report it with what this prints: ${whyCommand(one)}`,
  },
} as const satisfies Readonly<Record<string, WordsOfSubs>>;

/**
 * A command with a candidate that exists. The place of the line stands beside, in the break and before each candidate: a sentence that
 * had it would differ with the files that brought the line.
 */
function example({ reference, line, candidates, kind, side }: Told): string {
  const name = side === 'ours' && kind !== null ? reference : candidates[0];
  if (line === null || name === undefined || name === null) return '.';
  return `, such as: tallyhook matches confirm --line STATEMENT:ROW ${optionText('reference', name)}`;
}

/** Between the names of two files that cannot both be right, and how they differ. */
export const DIFFER = ' show the same days differently: ';

function removeOutdated(one: Told): string {
  const [files, how] = one.detail?.split(DIFFER) ?? [];
  const of = files === undefined || how === undefined ? '' : ` of ${files}`;
  return `Remove the outdated file${of} (${listOf(one)}): tallyhook statements remove NUMBER`;
}

function listOf({ account }: Told): string {
  return `tallyhook statements list ${optionText('account', account ?? '')}`;
}

function thing({ kind }: Told): string {
  return kind === null ? 'record' : kind.replace('_', '-');
}

function also(detail: string | null): string {
  return detail === null ? '' : ` (${detail})`;
}
