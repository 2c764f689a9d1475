import { owedOf } from '../../../domain/exceptions/owed.ts';
import type { NamedLine } from '../../../domain/exceptions/words.ts';
import { amountOfMinor, formatAmount, isNegative } from '../../../domain/money/amount.ts';
import type { AccountSet } from '../../exceptions.ts';
import type { Database } from '../engine/database.ts';
import { type exceptionLines, LineRefusal } from './exception-lines.ts';
import type { KnownLine, StoredException } from './exception-rows.ts';

interface Money {
  readonly account: string;
  readonly currency: string;
  readonly minor: string;
}

/** Lines that pay claims. The caller holds the transaction. */
export function exceptionPayments(database: Database, lines: Pick<ReturnType<typeof exceptionLines>, 'named'>) {
  const money = database.prepare<[number], Money>(`
    SELECT a.name AS account, l.currency, CAST(l.amount_minor AS TEXT) AS minor
    FROM imported_lines l JOIN accounts a ON a.id = l.account_id WHERE l.id = ?`);
  const matched = database
    .prepare<[number], string>("SELECT kind || ' ' || reference FROM matches WHERE line_id = ? ORDER BY id LIMIT 1")
    .pluck();
  const payer = database
    .prepare<KnownLine & { number: number }, string>(`
      SELECT e.id FROM exception_resolutions r INDEXED BY exception_resolutions_paid
        JOIN exceptions e ON e.resolution_id = r.id JOIN json_each(r.lines) n
      WHERE r.resolution = 'claim' AND r.lines <> '[]' AND e.number <> @number
        AND n.value ->> 'accountId' = @accountId AND n.value ->> 'date' = @date
        AND n.value ->> 'fingerprint' = @fingerprint AND n.value ->> 'occurrence' = @occurrence LIMIT 1`)
    .pluck();

  return {
    /** The lines that pay the claim: together they bring exactly what the service owes. @throws LineRefusal */
    of(claim: StoredException, wanted: readonly NamedLine[], sets: readonly AccountSet[]): KnownLine[] {
      const { break_id: id, same_as: followed } = claim;
      if (followed !== null) {
        throw new LineRefusal(
          `${id} is the same difference as ${followed}: name the line for that one, and the claim of ${id} ends with it.`,
        );
      }
      if (isNegative(owedOf(claim))) {
        throw new LineRefusal(
          `${id} is no money that the service owes: it took too little, or gave too much. No payment ends such a claim. ` +
            `Open it again, and resolve it otherwise: tallyhook exceptions reopen ${id} --reason TEXT`,
        );
      }
      const found = lines.named(claim, wanted);
      let paid = 0n;
      for (const line of found) {
        const where = `Row ${line.row} of statement ${line.statement}`;
        const { account, currency, minor } = money.get(line.lineId) as Money;
        if (found.filter(({ lineId }) => lineId === line.lineId).length > 1)
          throw new LineRefusal(`${where} is named twice.`);
        if (!isOneSet(claim, account, sets))
          throw new LineRefusal(`${where} is of account ${account}, which is closed apart from ${claim.account}.`);
        if (claim.currency !== null && currency !== claim.currency)
          throw new LineRefusal(`${where} is in ${currency}, and the claim of ${claim.break_id} in ${claim.currency}.`);
        const match = matched.get(line.lineId);
        if (match !== undefined) throw new LineRefusal(`${where} is matched with ${match} already.`);
        const other = payer.get({ ...line, number: claim.number });
        if (other !== undefined) throw new LineRefusal(`${where} pays the claim of ${other} already.`);
        paid += BigInt(minor);
      }
      const owed = claim.value_minor;
      if (owed !== null && paid === owed) return found;
      const text = owed === null ? 'more than can be paid' : formatAmount(amountOfMinor(owed));
      const named = found.length === 1 ? 'the line is' : 'the lines are';
      throw new LineRefusal(
        `The claim of ${claim.break_id} is ${text}, ${named} ${formatAmount(amountOfMinor(paid))} ${claim.currency ?? ''}`.trim() +
          ': name what paid exactly that.',
      );
    },
  };
}

/** Whether no set has the one account without the other. */
function isOneSet(claim: StoredException, account: string, sets: readonly AccountSet[]): boolean {
  const { account: own, environment } = claim;
  if (own === null) return true;
  return sets.every(
    (set) => set.environment !== environment || set.accounts.includes(own) === set.accounts.includes(account),
  );
}
