import { scopeKey } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { localTimes } from './days.ts';
import type { Span, Statement } from './statement.ts';

/** The members of the batches that were paid on these days; the amounts of one group add up to the bank's credit. */
export function settlementStatement(world: World, span: Span): Statement {
  const timeOf = localTimes(span.zone);
  const scope = scopeKey(span);
  const batches = [...world.state.books.batches.values()].filter((batch) => {
    const { date } = timeOf(batch.at);
    return batch.scope === scope && batch.currency === span.currency && date >= span.from && date <= span.to;
  });
  const lines = batches.flatMap(({ id, at, members }) =>
    members.map(({ type, reference, transactionReference, gross, fee, tax, net, at: movedAt }) => ({
      ...timeOf(at),
      valueDate: timeOf(movedAt).date,
      type,
      reference,
      transactionReference: transactionReference === reference ? '' : transactionReference,
      sessionId: '',
      group: id,
      counterparty: '',
      text: `settled in ${id}`,
      amount: net,
      gross,
      fee,
      tax,
    })),
  );
  return { ...span, opening: 0n, lines };
}
