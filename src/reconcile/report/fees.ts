import { STATEMENTS } from '../../domain/statements/lines.ts';
import { isZero, negated, sumOf } from './decimal.ts';
import type { Figures } from './figures.ts';
import type { ReportCharged, ReportFees } from './model.ts';

type Proof = Figures['proof'][number];

/** What was charged, by account, and how that compares with the schedule. */
export function feesOf({ proof, audit, files }: Figures, claimed: ReportFees['claimed']): ReportFees {
  const paying = proof.filter(paysCharges(files));
  return {
    charged: paying.map(chargedOf).filter(({ total, ours }) => !isZero(total) || !isZero(ours)),
    audit: audit?.sums ?? null,
    claimed,
  };
}

/** The charges of a wallet stand again in the settlements and the books of the same money: they would count twice. */
function paysCharges(files: Figures['files']): (proof: Proof) => boolean {
  const kinds = new Map(files.map(({ environment, account, kind }) => [`${environment} ${account}`, kind]));
  return ({ environment, account }) => {
    const kind = kinds.get(`${environment} ${account}`);
    return kind !== undefined && STATEMENTS[kind].isMoney;
  };
}

const CHARGES = ['fees', 'refund_fees', 'tax', 'duty'] as const;

/** A charge takes money away, so its row of the proof is negative. */
function chargedOf({ environment, account, currency, rows }: Proof): ReportCharged {
  const charge = (name: (typeof CHARGES)[number], side: 'ours' | 'theirs') =>
    negated(rows.find((row) => row.name === name)?.[side] ?? '0.00');
  const total = sumOf(CHARGES.map((name) => charge(name, 'theirs')));
  const ours = sumOf(CHARGES.map((name) => charge(name, 'ours')));
  return {
    ...{ environment, account, currency, fees: charge('fees', 'theirs'), refundFees: charge('refund_fees', 'theirs') },
    ...{ tax: charge('tax', 'theirs'), duty: charge('duty', 'theirs'), total, ours },
    difference: sumOf([total, negated(ours)]),
  };
}
