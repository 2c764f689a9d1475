import { showValue } from '../../src/domain/records/fields.ts';
import { MONEY_FIELDS } from '../../src/domain/records/witness-money.ts';
import type { LearntStatus, RecordEvidence } from '../../src/store/reconciliation.ts';
import type { RecordSummary } from '../../src/store/records.ts';
import { bold, print, printTable } from './output.ts';
import { isoTime, timeHeader, timeInColumn } from './text.ts';

// What the witnesses of a record say.

export function evidenceJson({ events, answer, webhook, service }: Omit<RecordEvidence, 'recordId'>) {
  return { events, answer, webhook: learntJson(webhook), service: learntJson(service) };
}

function learntJson(learnt: LearntStatus | null) {
  return learnt === null ? null : { status: learnt.status, learntAt: isoTime(learnt.learntAtMs) };
}

/** A row per witness: the status, when it was learnt, and the money that it states. */
export function printWitnesses({ kind, money }: RecordSummary, evidence: RecordEvidence | null): void {
  print(bold('Witnesses of the record'));
  const fields = MONEY_FIELDS[kind].filter((name) =>
    [money.reported, money.confirmed].some((one) => one[name] != null),
  );
  const rows = [
    { witness: 'webhooks', learnt: evidence?.webhook ?? null, says: money.reported },
    { witness: 'service', learnt: evidence?.service ?? null, says: money.confirmed },
  ];
  printTable(rows, [
    { header: 'WITNESS', value: ({ witness }) => witness },
    { header: 'STATUS', value: ({ learnt }) => learnt?.status ?? null },
    { ...timeHeader('LEARNT'), value: ({ learnt }) => timeInColumn(learnt?.learntAtMs ?? null), leaveOut: 1 },
    ...fields.map((name) => ({
      header: name.replace(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase(),
      value: ({ says }: (typeof rows)[number]) => showValue(says[name] ?? null),
    })),
  ]);
}
