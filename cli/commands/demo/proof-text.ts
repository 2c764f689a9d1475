import { print, printTable } from '../../show/output.ts';
import { movedRows, PROOF_COLUMNS } from '../../show/proof.ts';
import type { Reconciled } from './reconcile.ts';

// The last part of the story: statements, matches, breaks, and the proof of a balance.

/** The account whose proof is shown row by row; it is the one with planted faults. */
const SHOWN_ACCOUNT = /-wallet-ngn$/;

/** True when the breaks are the planted ones, all of them, and nothing else moves a balance. */
export function isProved({ missed, breaks, proof }: Reconciled): boolean {
  return (
    missed.length === 0 &&
    breaks.every(({ because }) => because !== null) &&
    proof.length > 0 &&
    proof.every(({ unexplained }) => unexplained === '0.00')
  );
}

export function printReconciled(reconciled: Reconciled): void {
  const { files, lines, faults, matched, breaks, missed } = reconciled;
  print(`Then ${files} statement files are imported: wallet, settlements and bank, ${lines} lines`);
  print(`with ${faults} planted faults. Matched with the records, leg by leg:`);
  print();
  printTable(Object.entries(matched), [
    { header: 'LEG', value: ([leg]) => leg },
    { header: 'MATCHED', value: ([, count]) => count, align: 'right' },
  ]);
  print();
  const others = breaks.filter(({ source }) => source !== 'webhooks');
  print(
    `${breaks.length} breaks. ${breaks.length - others.length} come of the contradictions above. The others, with what they move:`,
  );
  print();
  printTable(others, [
    { header: 'BREAK', value: ({ code }) => code },
    { header: 'REFERENCE', value: ({ reference }) => reference },
    { header: 'EFFECT', value: ({ effect }) => effect, align: 'right' },
    { header: 'BECAUSE', value: ({ because }) => because ?? 'NOT PLANTED', wraps: true },
  ]);
  for (const fault of missed) print(`NOT FOUND: ${fault}`);
  print();
  printProof(reconciled);
}

function printProof({ from, to, proof }: Reconciled): void {
  const shown = proof.find(({ account }) => SHOWN_ACCOUNT.test(account)) ?? proof[0];
  if (shown === undefined) return;
  print(`The balance of the ${shown.currency} wallet, ${from} to ${to}:`);
  print();
  printTable(movedRows(shown.rows), PROOF_COLUMNS);
  const others = proof.filter((one) => one !== shown);
  const open = others.filter(({ unexplained }) => unexplained !== '0.00');
  print(`The breaks make that difference. Unexplained: ${shown.unexplained}`);
  if (open.length === 0) print(`The other ${others.length} balances are proved too, with 0.00 unexplained each.`);
  for (const { account, unexplained } of open) print(`${account}: ${unexplained} UNEXPLAINED`);
  print();
}
