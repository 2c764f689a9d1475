import { sumOf } from './decimal.ts';
import type { Figures } from './figures.ts';
import type { ItemSum } from './item-sums.ts';
import { EXPLANATIONS, type Explanation, type ReportProof } from './model.ts';

/** A balance proof with what its difference is made of. */
export function proofOf(proof: Figures['proof'][number], items: readonly ItemSum[]): ReportProof {
  const { environment, account, currency, isBalanceStated, covers, rows, unexplained } = proof;
  const own = items.filter(
    (one) => one.environment === environment && one.account === account && one.currency === currency,
  );
  const explained = EXPLANATIONS.flatMap((by) => {
    const sums = own.filter(({ list }) => EXPLAINS[list] === by);
    const count = sums.reduce((sum, one) => sum + one.count, 0);
    return count === 0 ? [] : [{ by, count, effect: sumOf(sums.map(({ effect }) => effect)) }];
  });
  return { environment, account, currency, isBalanceStated, covers, rows, explained, unexplained };
}

const EXPLAINS: Readonly<Record<ItemSum['list'], Explanation | null>> = {
  breaks: 'exceptions',
  timing: 'timing',
  suggested: 'suggested',
  carried: 'carried',
  notConfirmed: null,
  unexplained: null,
};
