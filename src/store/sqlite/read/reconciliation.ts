import type { Environment } from '../../../domain/environment.ts';
import type { VerificationEndpoint } from '../../../domain/requests/request.ts';
import type { ReconciliationArchive } from '../../reconciliation.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import { evidenceReads } from './reconciliation/evidence.ts';
import { scratchFill } from './reconciliation/fill.ts';
import { neighbourFill } from './reconciliation/fill-neighbours.ts';
import { refundedTransactionReads, reservingRefundReads } from './reconciliation/funding.ts';
import { knownRecordReads } from './reconciliation/known-records.ts';
import { amountReads } from './reconciliation/lines-of-amount.ts';
import { openRecordReads } from './reconciliation/open-records.ts';
import { recordGroupReads } from './reconciliation/record-groups.ts';
import { sharedSessionReads } from './reconciliation/sessions.ts';
import { unansweredRequestReads, unseenExpectationReads } from './reconciliation/unseen.ts';

/** Reads what reconciling compares. */
export function reconciliationReads(database: Database): ReconciliationArchive {
  const known = knownRecordReads(database);
  const evidence = evidenceReads(database);
  const proven = database.prepare<[number], { environment: Environment; endpoint: VerificationEndpoint }>(
    'SELECT environment, endpoint FROM proven_endpoints WHERE proven_at <= ? ORDER BY environment, endpoint',
  );
  const provenAt = guarded(database, (asAtMs: number) => proven.all(asAtMs));
  return {
    ...scratchFill(database),
    ...neighbourFill(database),
    ...amountReads(database),
    openRecords: openRecordReads(database),
    knownRecords: async (order) => known(order),
    evidence: async (kind, ids, asAtMs) => evidence(kind, ids, asAtMs),
    recordGroups: recordGroupReads(database),
    reservingRefunds: reservingRefundReads(database),
    refundedTransactions: refundedTransactionReads(database),
    sharedSessions: sharedSessionReads(database),
    unseenExpectations: unseenExpectationReads(database),
    unansweredRequests: unansweredRequestReads(database),
    provenEndpoints: async (asAtMs) => provenAt(asAtMs),
  };
}
