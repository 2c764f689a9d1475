import type { SweepResult } from '../../../src/confirm/sweep-result.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import type { Stats } from '../../../src/store/archive.ts';
import type { OpenFinding } from '../../../src/store/records.ts';
import { note, print, printTable, verdictText } from '../../show/output.ts';
import type { SendResult } from '../trigger/send.ts';
import type { Difference } from './compare.ts';
import type { Forwarded } from './forward.ts';
import { isProved, printReconciled } from './proof-text.ts';
import type { Reconciled } from './reconcile.ts';

/** A count by the delivery log of the sandbox, and by the receiver's store. */
export interface Count {
  readonly what: string;
  readonly expected: number;
  readonly found: number;
}

export interface Story {
  readonly counts: readonly Count[];
  readonly records: number;
  /** By the reported status, before the sweep. */
  readonly differences: readonly Difference[];
  readonly sweep: SweepResult;
  readonly forwarded: Forwarded;
  /** By the confirmed status and the service's own amount, after the sweep. */
  readonly left: readonly Difference[];
  /** Open after the sweep. */
  readonly findings: readonly DemoFinding[];
  readonly reconciled: Reconciled;
}

export interface DemoFinding {
  readonly record: string;
  readonly code: string;
  readonly detail: string;
}

export function openFinding({ kind, reference, code, detail }: OpenFinding): DemoFinding {
  return { record: `${kind} ${reference}`, code, detail };
}

/** Counts the delivery log of the sandbox, and `extra` deliveries, against the receiver's store. */
export function countsOf(sandbox: Sandbox, extra: SendResult, stats: Stats): Count[] {
  const webhooks = sandbox.webhooks();
  const arrived = webhooks.filter(({ attempts }) => attempts.some(({ httpStatus }) => httpStatus === 200));
  const refusedAttempts = webhooks
    .flatMap(({ attempts }) => attempts)
    .filter(({ httpStatus }) => httpStatus === 401).length;
  const copies = (copy: 'duplicate' | 'variant'): number => arrived.filter((webhook) => webhook.copy === copy).length;
  const faults = (what: string): number => sandbox.plantedFaults().filter((fault) => fault.do === what).length;
  const [duplicates, variants] = [copies('duplicate'), copies('variant')];
  const known = extra.answers['200'] ?? 0;
  const refusals = stats.refusals.reduce((sum, { count }) => sum + count, 0);
  return [
    { what: 'deliveries answered 200, and kept', expected: arrived.length + known, found: stats.deliveries },
    { what: 'events, each once', expected: arrived.length + known - duplicates - variants, found: stats.events },
    { what: 'duplicates recognised', expected: duplicates, found: stats.deliveries - stats.events - stats.variants },
    { what: 'other contents kept beside an event', expected: variants, found: stats.variants },
    { what: 'events of no known kind, kept too', expected: known, found: stats.byState.unknown },
    {
      what: 'refused: forgeries, and the old key once',
      expected: refusedAttempts + (extra.answers['401'] ?? 0),
      found: refusals,
    },
    { what: 'open findings: two statuses in one second', expected: faults('tie'), found: stats.openFindings.tie ?? 0 },
    { what: 'open findings: one key, two contents', expected: variants, found: stats.openFindings.variant ?? 0 },
  ];
}

/**
 * True when every count agrees, every difference has a cause, the sweep repaired every record with a lost webhook, the
 * application has the last word of each settled record, and the breaks are the planted ones, with nothing unexplained in a balance.
 */
export function holds({ counts, differences, sweep, forwarded, left, reconciled }: Story): boolean {
  return (
    counts.every(({ expected, found }) => expected === found) &&
    [...differences, ...left].every(({ because }) => because !== null) &&
    left.every(({ because }) => !because?.includes(NEVER_SENT)) &&
    sweep.stopped === null &&
    forwarded.agreeing === forwarded.settled &&
    forwarded.refused === 0 &&
    isProved(reconciled)
  );
}

/** The note of the sandbox on a webhook that it dropped. */
const NEVER_SENT = 'never sent';

export function printStory(story: Story): void {
  print('A day at a merchant: ten orders, six refunds, five payouts, and stray webhooks.');
  print();
  const width = Math.max(...story.counts.map(({ what }) => what.length));
  for (const { what, expected, found } of story.counts) {
    const mark = expected === found ? verdictText('agrees', true) : verdictText(`expected ${expected}`, false);
    print(`  ${what.padEnd(width)}  ${String(found).padStart(3)}  ${mark}`);
  }
  print();
  const agreeing = story.records - story.differences.length;
  print(`By the webhooks alone, ${agreeing} of ${story.records} records agree with the books. The others:`);
  print();
  printDifferences(story.differences);
  print();
  const { checked, confirmed, repaired } = story.sweep;
  print(`Then the sweep asks the service for every status: ${checked} checked, ${confirmed} confirmed.`);
  print(`${repaired} of them had settled without a webhook reaching the receiver; now recorded.`);
  const agreed = story.records - story.left.length;
  print(`By the service's own answers, ${agreed} of ${story.records} agree, amounts included.`);
  print();
  if (story.left.length > 0) {
    printDifferences(story.left);
    print();
  }
  printForwarded(story.forwarded);
  print('The contradictions between the webhooks stay open for a person to look at:');
  print();
  printTable(story.findings, [
    { header: 'RECORD', value: ({ record }) => record },
    { header: 'FINDING', value: ({ code }) => code },
    { header: 'VALUES', value: ({ detail }) => detail, wraps: true },
  ]);
  print();
  printReconciled(story.reconciled);
  if (holds(story)) {
    print('Nothing that arrived was lost or doubled, the sweep repaired every record with a');
    print('lost webhook, and every break is a planted one.');
    print();
    print('The same days on one page, as finance hands them to an auditor. Open it in a browser:');
    print(`  ${story.reconciled.page}`);
  } else note('A count, a record or a break has no explanation: this is a defect of the program.');
}

function printForwarded({ settled, agreeing, news, examples }: Forwarded): void {
  print(`Confirmed news went to a sample application, which verified each request: ${news} pieces, each once.`);
  print(`It has the last word of ${agreeing} of ${settled} settled records, such as`);
  for (const one of examples) print(`  ${one}`);
  print();
}

function printDifferences(differences: readonly Difference[]): void {
  printTable(differences, [
    { header: 'RECORD', value: ({ record }) => record.split(' ')[1] ?? record },
    { header: 'RECEIVER', value: ({ receiver }) => receiver },
    { header: 'SERVICE', value: ({ service }) => service },
    { header: 'BECAUSE', value: ({ because }) => because ?? 'UNEXPLAINED', wraps: true },
  ]);
}
