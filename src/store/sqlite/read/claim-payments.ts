import type { ClaimPayment, PaymentLine } from '../../exceptions.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';

interface PaymentRow extends Omit<ClaimPayment, 'lines' | 'isWhole'> {
  readonly number: number;
  readonly named: number;
}

/** Reads the claims of which a payment was named. */
export function claimPaymentReads(database: Database): () => Promise<ClaimPayment[]> {
  // A resolution that was amended holds the lines of the one before: the first of them says when they were named.
  const paid = database.prepare<[], PaymentRow>(`
    SELECT e.number, e.id, e.code, e.environment, e.account, e.evidence, json_array_length(r.lines) AS named,
      max(coalesce(r.approved_at, 0), (
        SELECT min(g.at) FROM exception_log g JOIN exception_resolutions x ON x.id = g.resolution_id
        WHERE g.exception_number = e.number AND x.lines = r.lines AND g.at >= r.resolved_at)) AS paidAtMs
    FROM exception_resolutions r INDEXED BY exception_resolutions_paid JOIN exceptions e ON e.resolution_id = r.id
    WHERE r.resolution = 'claim' AND r.lines <> '[]' AND r.approval IS NOT 'needed' AND e.status IN ('resolved', 'closed')
    ORDER BY e.id`);
  const lines = database.prepare<[number], PaymentLine>(`
    SELECT l.id AS lineId, l.statement_id AS statement, a.name AS account, l.date, lower(hex(l.fingerprint)) AS fingerprint,
      l.occurrence
    FROM exceptions e JOIN exception_resolutions r ON r.id = e.resolution_id JOIN json_each(r.lines) n
      JOIN imported_lines l ON l.account_id = n.value ->> 'accountId' AND l.date = n.value ->> 'date'
        AND l.fingerprint = unhex(n.value ->> 'fingerprint') AND l.occurrence = n.value ->> 'occurrence'
      JOIN imported_statements s ON s.id = l.statement_id JOIN accounts a ON a.id = l.account_id
    WHERE e.number = ? AND s.state = 'imported' ORDER BY l.id`);

  const read = guarded(database, (): ClaimPayment[] =>
    paid.all().map(({ number, named, ...payment }) => {
      const shown = lines.all(number);
      return { ...payment, lines: shown, isWhole: shown.length === named };
    }),
  );
  return async () => read();
}
