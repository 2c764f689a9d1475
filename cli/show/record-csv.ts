import type { RecordKind } from '../../src/domain/records/lifecycle.ts';
import { countedAmount, countedMoney, FEE_FIELD } from '../../src/domain/records/witness-money.ts';
import { PARTY, partyOf } from '../../src/lists/records.ts';
import type { RecordSummary } from '../../src/store/records.ts';
import { amountCell, type CsvColumns, type CsvForm, csvForm, timeCell } from './csv.ts';
import type { Shown } from './record.ts';
import { day, time } from './text.ts';

// Records as CSV, for a spreadsheet: amounts are exact numbers; ids, references and times are texts.

type Columns = CsvColumns<RecordSummary>;

/** `list --format csv`. Times are in `zone`, with their offset: in autumn an hour of the clock exists twice. */
export function recordCsv(kind: RecordKind, zone: string, shown: Shown): CsvForm<RecordSummary> {
  return csvForm(columnsOf(kind, zone, shown));
}

function columnsOf(kind: RecordKind, zone: string, shown: Shown): Columns {
  return {
    environment: ({ environment }) => environment,
    kind: () => kind,
    reference: ({ reference }) => reference,
    reported: ({ reported }) => reported,
    confirmed: ({ confirmed }) => confirmed,
    date: ({ effectiveAtMs }) => day(effectiveAtMs),
    effective_at: ({ effectiveAtMs }) => time(effectiveAtMs),
    time_zone: () => zone,
    amount: (record) => amountCell(countedAmount(record).amount),
    currency: (record) => countedAmount(record).currency,
    disputed: (record) => (countedAmount(record).disputed ? 'yes' : 'no'),
    fee: (record) => amountCell(countedMoney(record, FEE_FIELD[kind])),
    ...(kind === 'collection' && { charged: (record) => amountCell(countedMoney(record, 'amount')) }),
    ...(kind === 'payout' && { stamp_duty: (record) => amountCell(countedMoney(record, 'stampDuty')) }),
    [PARTY[kind].name.toLowerCase()]: (record) => partyOf(record, shown),
    ...timeColumns(kind),
    reported_at: ({ reportedTime }) => timeCell(reportedTime),
    confirmed_at: ({ confirmedAtMs }) => timeCell(confirmedAtMs),
    first_seen_at: ({ firstSeenAtMs }) => timeCell(firstSeenAtMs),
    changed_at: ({ changedAtMs }) => timeCell(changedAtMs),
    open_findings: ({ openFindings }) => openFindings,
    id: ({ id }) => String(id),
  };
}

/** The times of the service. */
function timeColumns(kind: RecordKind): Columns {
  const names: Record<string, string> =
    kind === 'refund'
      ? { requested_at: 'requestedAt', completed_at: 'completedAt', updated_at: 'updatedAt' }
      : { created_at: 'createdAt', paid_at: 'paidAt', updated_at: 'updatedAt' };
  return Object.fromEntries(
    Object.entries(names).map(([column, name]) => [column, ({ times }) => timeCell(times[name]?.utc ?? null)]),
  );
}
