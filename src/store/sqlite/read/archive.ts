import { perKind, RECORD_KINDS } from '../../../domain/records/lifecycle.ts';
import { type Clock, systemClock } from '../../../time/clock.ts';
import type { Archive, ArchiveOptions } from '../../archive.ts';
import type { EventDetail } from '../../events.ts';
import type { Refusal } from '../../inbox.ts';
import type { FindingDetail } from '../../records.ts';
import type { StoryFilter } from '../../story.ts';
import { withLateStatements } from '../engine/late-statements.ts';
import { guarded, openForReading, type ReadConnection, snapshot } from '../engine/reading.ts';
import { asideReads } from './aside.ts';
import { checkReads } from './checks.ts';
import { damagedRows } from './damaged-rows.ts';
import { eventMoves } from './event-move.ts';
import { eventReads } from './events.ts';
import { findingReads } from './findings.ts';
import { recordReads } from './records.ts';
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
  const moves = eventMoves(database);
  const aside = asideReads(database);
  const waiting = waitingRead(database);

  const samples = database.prepare<[], Refusal>(`
    SELECT at AS atMs, path, reason, remote_address AS remoteAddress, content_length AS contentLength,
           user_agent AS userAgent
    FROM refusal_samples ORDER BY at DESC, slot DESC`);

  const books = {
    ...late([...STATEMENT_READS, ...LINE_READS], async () =>
      (await import('./statements.ts')).statementReads(database, damaged),
    ),
    ...late([...RUN_READS, ...MATCH_READS], async () => (await import('./runs.ts')).runReads(database)),
    ...late([...QUEUE_READS, ...EXCEPTION_READS, 'heldRecordExceptions'], async () =>
      (await import('./exceptions.ts')).exceptionReads(database),
    ),
  };

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
    refusalSamples: async () => guarded(database, () => samples.all())(),
    ...books,
    ...late([...FILLS, ...RECORD_READS, ...REFUND_READS, ...UNSEEN_READS], async () =>
      (await import('./reconciliation.ts')).reconciliationReads(database),
    ),
    ...late(PERIOD_READS, async () => (await import('./periods.ts')).periodReads(database, clock)),
    ...late(['unexplained', 'lastStatements'], async () => (await import('./book-facts.ts')).bookReads(database)),
    ...late(['journal'], async () => (await import('./journal.ts')).journalReads(database)),
    ...late(['story'], async () => {
      const { storyReads } = await import('./story.ts');
      const { reconciledReads } = await import('./reconciled.ts');
      const story = storyReads(database, { events, findings, records, clock });
      const reconciled = reconciledReads(database, books);
      return {
        story: async (reference: string, filter: StoryFilter) => ({
          ...story(reference, filter),
          reconciled: await reconciled(reference, filter),
        }),
      };
    }),
    ...late(['expectations', 'countExpectations'], async () =>
      (await import('./expectations.ts')).expectationReads(database, clock),
    ),
    ...late(['stuck', 'countStuck', 'unconfirmed'], async () =>
      (await import('./stuck.ts')).stuckReads(database, { records, checks: parts.checks, clock }),
    ),
    ...late(['intake'], async () => (await import('./intake.ts')).intakeReads(database)),
    ...late(OUTBOX_READS, async () => (await import('./outbox.ts')).outboxReads(database, clock)),
    ...late(ALERT_READS, async () => (await import('./alerts.ts')).alertReads(database)),
    ...late(REFUSED_READS, async () => (await import('./refused.ts')).refusedReads(database)),
    ...late(['healthSamples'], async () => (await import('./health.ts')).healthReads(database)),
    ...late(['seenMark'], async () => (await import('./seen.ts')).seenReads(database)),
    ...late(AUDIT_READS, async () => (await import('./audit.ts')).auditReads(database)),
    ...late(['users'], async () => (await import('./users.ts')).userReads(database)),
    ...late(ACCESS_READS, async () => (await import('./access.ts')).accessReads(database, clock)),
    ...late(APPROVAL_READS, async () => (await import('./approvals.ts')).approvalReads(database, clock)),
    ...late(['channels'], async () => ({ channels: (await import('./channels.ts')).channelReads(database) })),
    ...late(['stats'], async () => ({ stats: (await import('./stats.ts')).archiveStats(database, schemaVersion) })),
    ...late(['systemState'], async () => ({
      systemState: (await import('./system-state.ts')).systemStateReads(database, clock),
    })),
    ...late(['jobs'], async () => {
      const states = snapshot(database, (await import('./jobs.ts')).jobStates(database).states);
      return { jobs: () => states(clock.nowMs()) };
    }),
    ...late(['query'], async () => {
      const run = guarded(database, (await import('./query.ts')).runQuery);
      return { query: (sql: string, limit: number) => run(connection.database, sql, limit) };
    }),
    close: async () => close(),
  };
}

const STATEMENT_READS = ['statements', 'countStatements', 'statement', 'unparsedRows', 'profileOf'] as const;
const LINE_READS = ['statementLines', 'lineAt', 'linesNaming', 'linesNamingAny', 'bookLines'] as const;
const RUN_READS = [
  'runs',
  'run',
  'lastRun',
  'lastAsAtMs',
  'frozenGroups',
  'breaks',
  'countBreaks',
  'breakOf',
  'decisions',
] as const;
const MATCH_READS = ['matches', 'countMatches', 'match', 'undoneMatches', 'countUndoneMatches'] as const;
const QUEUE_READS = ['exceptions', 'exceptionTotals', 'exceptionKinds', 'exceptionProgress', 'isFollowing'] as const;
const EXCEPTION_READS = ['exception', 'exceptionLog', 'exceptionsNaming', 'exceptionSheet', 'claimPayments'] as const;
const FILLS = ['fillScratch', 'fillNamedLines', 'fillKnownMatches', 'fillNeighbours', 'linesOfAmount'] as const;
const RECORD_READS = ['openRecords', 'knownRecords', 'evidence', 'recordGroups', 'provenEndpoints'] as const;
const REFUND_READS = ['reservingRefunds', 'refundedTransactions', 'sharedSessions'] as const;
const UNSEEN_READS = ['unseenExpectations', 'unansweredRequests'] as const;
const PERIOD_READS = ['periods', 'period', 'frozen', 'closedPeriods', 'runOfDays', 'newsSince', 'sinceClose'] as const;
const OUTBOX_READS = ['outbox', 'countOutbox', 'outboxRow', 'targets', 'unprovenRecords'] as const;
const ALERT_READS = ['alerts', 'countAlerts', 'alert', 'signals'] as const;
const REFUSED_READS = ['refusedSpans', 'countRefusedSpans', 'receiverTimes'] as const;
const AUDIT_READS = ['auditEntries', 'countAuditEntries', 'auditHead'] as const;
const ACCESS_READS = ['session', 'sessions', 'proofFacts', 'login', 'linkOwner', 'refusedLogins'] as const;
const APPROVAL_READS = ['approvalRules', 'approvals', 'countApprovals', 'approval', 'approvalRows'] as const;

type Late<Part, Name extends keyof Part> = {
  readonly [Each in Name]: Part[Each] extends (...input: infer Input) => infer Result
    ? (...input: Input) => Promise<Awaited<Result>>
    : never;
};

/** Reads whose modules are loaded with the first call of one of them: a command uses few parts of the archive. */
function late<Part, Name extends keyof Part & string>(
  names: readonly Name[],
  load: () => Promise<Part>,
): Late<Part, Name> {
  let loaded: Promise<Part> | undefined;
  const read =
    (name: Name) =>
    async (...input: unknown[]) => {
      loaded ??= load();
      const part = (await loaded) as Record<Name, (...input: unknown[]) => unknown>;
      return part[name](...input);
    };
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Late<Part, Name>;
}
