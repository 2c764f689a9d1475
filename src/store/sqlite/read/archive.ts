import { perKind, RECORD_KINDS } from '../../../domain/records/lifecycle.ts';
import { type Clock, systemClock } from '../../../time/clock.ts';
import type { Archive, ArchiveOptions } from '../../archive.ts';
import type { EventDetail } from '../../events.ts';
import type { Refusal } from '../../inbox.ts';
import type { FindingDetail } from '../../records.ts';
import { withLateStatements } from '../engine/late-statements.ts';
import { guarded, openForReading, type ReadConnection, snapshot } from '../engine/reading.ts';
import { accessReads } from './access.ts';
import { alertReads } from './alerts.ts';
import { approvalReads } from './approvals.ts';
import { asideReads } from './aside.ts';
import { auditReads } from './audit.ts';
import { bookReads } from './book-facts.ts';
import { channelReads } from './channels.ts';
import { checkReads } from './checks.ts';
import { damagedRows } from './damaged-rows.ts';
import { eventMoves } from './event-move.ts';
import { eventReads } from './events.ts';
import { exceptionReads } from './exceptions.ts';
import { expectationReads } from './expectations.ts';
import { findingReads } from './findings.ts';
import { healthReads } from './health.ts';
import { intakeReads } from './intake.ts';
import { jobStates } from './jobs.ts';
import { journalReads } from './journal.ts';
import { outboxReads } from './outbox.ts';
import { periodReads } from './periods.ts';
import { runQuery } from './query.ts';
import { reconciledReads } from './reconciled.ts';
import { reconciliationReads } from './reconciliation.ts';
import { recordReads } from './records.ts';
import { refusedReads } from './refused.ts';
import { runReads } from './runs.ts';
import { seenReads } from './seen.ts';
import { statementReads } from './statements.ts';
import { archiveStats } from './stats.ts';
import { storyReads } from './story.ts';
import { stuckReads } from './stuck.ts';
import { systemStateReads } from './system-state.ts';
import { userReads } from './users.ts';
import { waitingRead } from './waiting.ts';

/**
 * Opens a database for reading, beside processes that write it.
 *
 * @throws StoreError when there is no database, it is not ours, or its schema is older or newer than this program's
 */
export function openArchive(path: string, clock: Clock = systemClock, options: ArchiveOptions = {}): Archive {
  const connection = openForReading(path);
  try {
    return archiveOn(connection, clock, options);
  } catch (error) {
    connection.close();
    throw error;
  }
}

function archiveOn(connection: ReadConnection, clock: Clock, { onDamage }: ArchiveOptions): Archive {
  const { schemaVersion, close } = connection;
  const database = withLateStatements(connection.database);
  const damaged = damagedRows(database, onDamage);
  const events = eventReads(database, damaged);
  const findings = findingReads(database);
  const parts = { findings, checks: checkReads(database), damaged };
  const records = perKind((kind) => recordReads(database, kind, parts));
  const stuck = stuckReads(database, { records, checks: parts.checks, clock });
  const story = storyReads(database, { events, findings, records, clock });
  const statements = statementReads(database, damaged);
  const runs = runReads(database);
  const exceptions = exceptionReads(database);
  const reconciled = reconciledReads(database, { ...statements, ...runs, ...exceptions });
  const moves = eventMoves(database);
  const samples = database.prepare<[], Refusal>(`
    SELECT at AS atMs, path, reason, remote_address AS remoteAddress, content_length AS contentLength,
           user_agent AS userAgent
    FROM refusal_samples ORDER BY at DESC, slot DESC`);
  const stats = archiveStats(database, schemaVersion);
  const aside = asideReads(database);
  const waiting = waitingRead(database);
  const jobs = snapshot(database, jobStates(database).states);

  const eventDetail = snapshot(database, (id: number): EventDetail | null => {
    const contents = events.contentsOf(id);
    if (contents === null) return null;
    const { reference, environment } = contents;
    const kind = RECORD_KINDS.find((each) => each === contents.kind);
    const record = kind === undefined ? null : records[kind].summary(reference, environment);
    const move = kind === undefined || record === null ? null : moves.moveOf(kind, record.id, id);
    if (kind === undefined || record === null || move === null) {
      return { ...contents, record: null, move: null, findings: [] };
    }
    return { ...contents, record, move, findings: findings.openOf(kind, record.id) };
  });

  const findingDetail = snapshot(database, (id: number): FindingDetail | null => {
    const finding = findings.ofId(id);
    const record = finding === null ? null : records[finding.kind].detailOfId(finding.recordId);
    return finding === null || record === null ? null : { ...finding, record };
  });

  return {
    events: events.events,
    countEvents: events.count,
    event: async (id) => eventDetail(id),
    eventEnd: async () => events.eventEnd(),
    aside: async (page) => aside.page(page),
    countAside: async () => aside.count(),
    waiting: async () => waiting(),
    nextEvents: events.nextEvents,
    nextBodies: events.nextBodies,
    records: (kind, filter, page) => records[kind].page(filter, page),
    countRecords: (kind, filter) => records[kind].count(filter),
    record: async (kind, reference, environment) => records[kind].details(reference, environment),
    findings: findings.page,
    countFindings: findings.count,
    finding: async (id) => findingDetail(id),
    stuck: async (filter, { afterId = 0, limit }) => stuck.stuck(filter, { afterId, limit }),
    countStuck: async (filter) => stuck.count(filter),
    unconfirmed: async (filter) => stuck.unconfirmed(filter),
    ...expectationReads(database, clock),
    ...intakeReads(database),
    ...statements,
    ...reconciliationReads(database),
    ...runs,
    ...journalReads(database),
    ...periodReads(database, clock),
    ...bookReads(database),
    ...alertReads(database),
    ...refusedReads(database),
    ...healthReads(database),
    ...seenReads(database),
    ...exceptions,
    ...auditReads(database),
    ...outboxReads(database, clock),
    ...userReads(database),
    ...accessReads(database, clock),
    ...approvalReads(database, clock),
    query: async (sql, limit) => guarded(database, runQuery)(connection.database, sql, limit),
    refusalSamples: async () => guarded(database, () => samples.all())(),
    story: async (reference, filter) => ({
      ...story(reference, filter),
      reconciled: await reconciled(reference, filter),
    }),
    channels: channelReads(database),
    stats: async () => stats(),
    systemState: systemStateReads(database, clock),
    jobs: async () => jobs(clock.nowMs()),
    close: async () => close(),
  };
}
