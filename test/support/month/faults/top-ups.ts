import { BANK, WALLETS } from '../accounts.ts';
import type { Business } from '../business.ts';
import { october } from '../days.ts';
import { moneyText as text } from '../money.ts';
import { nairaItem as item } from './naira-item.ts';

/* Faults of money from the bank into the wallet. */

/** `moreInBank`: what the bank has more than the wallet; null: it has no line. */
function topUp(b: Business, day: string, bankDay: string, moreInBank: bigint | null) {
  const [amount, reference] = [b.oddAmount(), b.name('U')];
  b.book.line(WALLETS.NGN, day, 'top_up', amount, { reference, asOurs: true });
  b.book.post(BANK, day, { top_ups: -amount });
  if (moreInBank === null) return { amount, reference, line: null };
  b.book.match('topup-bank');
  return { amount, reference, line: b.book.line(BANK, bankDay, 'top_up', -amount - moreInBank, { reference }) };
}

export function topUpMissingInBank(b: Business): void {
  const { amount, reference } = topUp(b, b.day(), '', null);
  b.book.expect({
    ...item('a top-up that the bank does not have', 'missing_external', 'topup-bank', 'ours', 'bank-ngn'),
    ...{ kind: 'top_up', reference, ours: text(amount), theirs: null, effect: amount },
  });
}

export function topUpDiffers(b: Business): void {
  const day = b.day();
  const { amount, reference, line } = topUp(b, day, day, 777n);
  b.book.expect({
    ...item('a top-up of another amount', 'amount_mismatch', 'topup-bank', 'ours', 'bank-ngn'),
    ...{ kind: 'top_up', reference, ours: text(amount), theirs: text(amount + 777n), variance: '7.77', effect: -777n },
    lines: line === null ? [] : [line],
  });
}

export function topUpNotDue(b: Business): void {
  const { amount, reference } = topUp(b, october(30), october(33), 0n);
  b.book.expect({
    ...{ ...item('a top-up that the bank has later', 'timing', 'topup-bank', 'ours', 'bank-ngn'), list: 'timing' },
    ...{ reference, effect: amount },
  });
}

/** The wallet has it twice, the bank once: the copy is a row of ours, named by its row there. */
export function topUpTwice(b: Business): void {
  const day = b.day();
  const { amount, reference } = topUp(b, day, day, 0n);
  const copy = b.book.line(WALLETS.NGN, day, 'top_up', amount, { reference, asOurs: true });
  b.book.post(BANK, day, { top_ups: -amount });
  b.book.expect({
    ...item('a top-up that the wallet has twice', 'duplicate_internal', 'topup-bank', 'ours', 'bank-ngn'),
    ...{ kind: 'top_up', reference, ours: text(amount), theirs: null, effect: amount, lines: [copy] },
  });
}

/** Twice with different amounts: the one that the bank has stands. */
export function topUpTwiceOtherwise(b: Business): void {
  const [day, other] = [b.day(), b.oddAmount()];
  const { reference } = topUp(b, day, day, 0n);
  const copy = b.book.line(WALLETS.NGN, day, 'top_up', other, { reference, asOurs: true });
  b.book.post(BANK, day, { top_ups: -other });
  b.book.expect({
    ...item(
      'a top-up that the wallet has with another amount, too',
      'duplicate_internal',
      'topup-bank',
      'ours',
      'bank-ngn',
    ),
    ...{ kind: 'top_up', reference, effect: other, lines: [copy] },
  });
}

export function topUpStranger(b: Business): void {
  const [reference, amount] = [b.name('U'), b.oddAmount()];
  const line = b.book.line(BANK, b.day(), 'top_up', -amount, { reference });
  b.book.expect({
    ...item('a top-up in the bank that no wallet has', 'missing_internal', 'topup-bank', 'theirs', 'bank-ngn'),
    ...{ reference, ours: null, theirs: text(amount), effect: -amount, lines: [line] },
  });
}
