import { october } from '../month/days.ts';
import type { AccountName, FileLine } from '../month/story.ts';
import type { Chance } from './chance.ts';
import { dueOf, lineOf, recordOf } from './payments.ts';
import { type Deed, type Moment, type Posting, stageOf, type Verdict } from './world.ts';

/* Deeds of which the lines are the matter: what has no other side, what names nothing, and what cannot be read. */

interface Place {
  readonly chance: Chance;
  readonly account: AccountName;
  readonly day: number;
}

const isDone = (day: number, { day: until, stage }: Moment): boolean => day <= until && stageOf(day) <= stage;

/** A line that has no other side: by us it is what it is by them. */
export function adjustmentDeed({
  chance,
  account,
  day,
  stage = stageOf(day),
}: Place & { readonly stage?: number }): Deed {
  const amount = chance.amount();
  const line = lineOf(account, october(day), { type: 'adjustment', amount });
  return {
    ...{ plant: `adjustment of ${line.day}`, records: [], lines: [{ line, stage }], verdicts: () => [] },
    postings: [{ account, day, row: 'adjustments', amount, stage }],
  };
}

/** A row that cannot be read: what it moved is what the balances of its file have more than its lines. */
export function unreadableDeed({ chance, account, day }: Place): Deed {
  const amount = chance.amount();
  const line = lineOf(account, october(day), { type: 'adjustment', amount, unreadable: '12..50' });
  const about = { code: 'unparsed', leg: null, account, reference: null, ours: null, theirs: line.unreadable };
  return {
    ...{ plant: `unreadable row of ${line.day}`, records: [], lines: [{ line, stage: stageOf(day) }], postings: [] },
    verdicts: (moment) => (isDone(day, moment) ? [{ ...about, effect: amount }] : []),
  };
}

/** A sale that is charged back in part; `isTwice`: by two equal lines, of which one is a copy. */
export function chargebackDeed({ chance, account, day, isTwice }: Place & { readonly isTwice: boolean }): Deed {
  const [amount, reference, stage] = [chance.amount(), chance.name('C'), stageOf(day)];
  const back = amount / 3n;
  const line = lineOf(account, october(day), { type: 'chargeback', amount: -back, reference });
  const post = (row: Posting['row'], moved: bigint): Posting => ({ account, day, row, amount: moved, stage });
  const copy = { code: 'duplicate_external', leg: null, account, reference, ours: null, theirs: back, effect: -back };
  return {
    plant: `chargeback of ${reference} of ${line.day}${isTwice ? ', twice' : ''}`,
    records: [
      {
        record: recordOf({ chance, kind: 'collection', account, day }, { reference, amount, fee: 0n, duty: 0n }),
        stage,
      },
    ],
    postings: [post('collections', amount), post('chargebacks', -back)],
    lines: [
      lineOf(account, october(day), { type: 'collection', amount, reference }),
      line,
      ...(isTwice ? [line] : []),
    ].map((one) => ({ line: one, stage })),
    verdicts: (moment) => (isTwice && isDone(day, moment) ? [copy] : []),
  };
}

/** A sale whose fee and VAT are lines of their own; `over`: what they charge more than our record says. */
export function chargesApartDeed({ chance, account, day, over }: Place & { readonly over: bigint }): Deed {
  const [amount, fee, tax] = [chance.amount(), BigInt(chance.between(100, 900)), BigInt(chance.between(1, 90))];
  const [reference, stage] = [chance.name('C'), stageOf(day)];
  const about = { leg: 'records-wallet', account, reference };
  const put = (type: FileLine['type'], moved: bigint) =>
    lineOf(account, october(day), { type, amount: moved, reference });
  const post = (row: Posting['row'], moved: bigint): Posting => ({ account, day, row, amount: moved, stage });
  return {
    plant: `charges apart of ${reference} of ${october(day)}: ${over > 0n ? 'too much' : 'none'}`,
    records: [
      {
        record: recordOf({ chance, kind: 'collection', account, day }, { reference, amount, fee: fee + tax, duty: 0n }),
        stage,
      },
    ],
    // How our fees divide is the matter of the lines.
    postings: [post('collections', amount), post('fees', -fee), post('tax', -tax)],
    lines: [put('collection', amount), put('fee', -fee - over), put('tax', -tax)].map((line) => ({ line, stage })),
    verdicts: (moment) =>
      over > 0n && isDone(day, moment)
        ? [{ ...about, code: 'fee_mismatch', ours: fee + tax, theirs: fee + tax + over, effect: -over }]
        : [],
  };
}

/** A sale and a line of its amount and day that names nothing: a person says whether they belong together. */
export function suggestedDeed({ chance, account, day, word }: Place & { readonly word: 'together' | 'apart' }): Deed {
  const [amount, reference, stage] = [chance.amount(), chance.name('C'), stageOf(day)];
  const line = lineOf(account, october(day), { type: 'collection', amount });
  const about = { leg: 'records-wallet', account };
  const apart = (until: number): Verdict[] => [
    {
      ...{ ...about, code: until < dueOf(day) ? 'timing' : 'missing_external', reference },
      ...{ ours: amount, theirs: null, effect: -amount },
    },
    { ...about, code: 'missing_internal', reference: null, ours: null, theirs: amount, effect: amount },
  ];
  return {
    plant: `suggestion of ${reference} of ${line.day}: ${word}`,
    records: [
      {
        record: recordOf({ chance, kind: 'collection', account, day }, { reference, amount, fee: 0n, duty: 0n }),
        stage,
      },
    ],
    postings: [{ account, day, row: 'collections', amount, stage }],
    lines: [{ line, stage }],
    decisions: [{ reference, word, stage }],
    verdicts: (moment) => {
      if (!isDone(day, moment)) return [];
      if (stage >= moment.decided)
        return [{ ...about, code: 'suggested', reference, ours: null, theirs: null, effect: 0n }];
      return word === 'together' ? [] : apart(moment.day);
    },
  };
}

/** Two payouts of one session and amount to different people, and one line that names the session alone. */
export function tieDeed({ chance, account, day }: Place): Deed {
  const [amount, sessionId, stage] = [chance.amount(), chance.name('S'), stageOf(day)];
  const both = ['1', '2'].map((number) => {
    const reference = chance.name('P');
    const record = recordOf({ chance, kind: 'payout', account, day }, { reference, amount, fee: 0n, duty: 0n });
    return {
      record: { ...record, sessionId, data: { bank_code: '990001', account_number: `500000000${number}` } },
      stage,
    };
  });
  const line = lineOf(account, october(day), { type: 'payout', amount: -amount, fee: 0n, duty: 0n, sessionId });
  const tie: Verdict = {
    ...{ code: 'ambiguous', leg: 'records-wallet', account, reference: sessionId },
    ...{ ours: null, theirs: amount, effect: amount },
  };
  return {
    ...{ plant: `two payouts of ${sessionId} of ${line.day}`, records: both, lines: [{ line, stage }] },
    postings: both.map(() => ({ account, day, row: 'payouts' as const, amount: -amount, stage })),
    verdicts: (moment) => (isDone(day, moment) ? [tie] : []),
  };
}
