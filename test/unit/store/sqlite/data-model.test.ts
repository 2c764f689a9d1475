import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { APPROVAL_STATES } from '../../../../src/domain/access/approval.ts';
import { ATTEMPT_SCOPES } from '../../../../src/domain/access/attempts.ts';
import { LOGIN_WAYS } from '../../../../src/domain/access/session.ts';
import { ALERT_CHANGES } from '../../../../src/domain/alerts/alert.ts';
import { ALERT_CHANNELS, SEVERITIES } from '../../../../src/domain/alerts/alert-cause.ts';
import { NOTICE_STATES } from '../../../../src/domain/alerts/alert-notice.ts';
import { KEY_ANSWERS } from '../../../../src/domain/checks/check.ts';
import { BACKFILL_OUTCOMES } from '../../../../src/domain/checks/list-walk.ts';
import { ENVIRONMENTS } from '../../../../src/domain/environment.ts';
import { EVENT_KINDS, EVENT_STATES, QUARANTINE_REASONS } from '../../../../src/domain/events/event.ts';
import { CONTENT_SOURCES } from '../../../../src/domain/events/webhook-observation.ts';
import { EXCEPTION_STATES, RESOLUTIONS } from '../../../../src/domain/exceptions/words.ts';
import { FINDING_CODES } from '../../../../src/domain/findings/finding.ts';
import { ROW_STATES } from '../../../../src/domain/forwarding/forward-row.ts';
import { FORWARD_MOMENTS, FORWARD_NEWS } from '../../../../src/domain/forwarding/forward-target.ts';
import { JOB_OUTCOMES } from '../../../../src/domain/jobs/job.ts';
import { JOURNAL_GROUPINGS, JOURNAL_ROLES, JOURNAL_SOURCES } from '../../../../src/domain/journal/words.ts';
import { PERIOD_STATES } from '../../../../src/domain/periods/period.ts';
import { SIDES } from '../../../../src/domain/reconciling/break.ts';
import { OUR_KINDS } from '../../../../src/domain/reconciling/rules.ts';
import { RECORD_KINDS } from '../../../../src/domain/records/lifecycle.ts';
import { WITNESSES } from '../../../../src/domain/records/observation.ts';
import { MOVING_FIELDS } from '../../../../src/domain/records/record-move.ts';
import { LIKENESSES } from '../../../../src/domain/refusals/refused-run.ts';
import {
  COLLECTION_VERSIONS,
  KEPT_KINDS,
  REQUEST_STATES,
  VERIFICATION_ENDPOINTS,
} from '../../../../src/domain/requests/request.ts';
import { LINE_TYPES, STATEMENT_KINDS } from '../../../../src/domain/statements/lines.ts';
import { CONTROLS } from '../../../../src/domain/statements/statement.ts';
import { INTAKE_OUTCOMES } from '../../../../src/domain/statements/statement-intake.ts';
import { packageFile } from '../../../../src/package-root.ts';
import { CREDENTIAL_KINDS } from '../../../../src/store/access.ts';
import { EXCEPTION_EVENTS } from '../../../../src/store/exceptions.ts';
import { MERCHANT_SIGNATURES } from '../../../../src/store/inbox.ts';
import { JOB_CAUSES } from '../../../../src/store/jobs.ts';
import { MATCH_PASSES, MATCH_STATES, MATCH_VERDICTS } from '../../../../src/store/runs.ts';
import { SEEN_LISTS } from '../../../../src/store/seen.ts';
import { columnNames } from '../../../../src/store/sqlite/rows/record-columns.ts';
import { COUNTERS } from '../../../../src/store/sqlite/write/counters.ts';
import { STATEMENT_STATES } from '../../../../src/store/statements.ts';
import { TestDatabase } from '../../../support/test-database.ts';

const document = readFileSync(packageFile('docs/data-model.md'), 'utf8');
const db = new TestDatabase();
afterAll(() => db.remove());

const tables = db.database
  .prepare<[], { name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  )
  .all();
const columnsOf = (table: string) =>
  db.database
    .prepare<[string], { name: string; type: string }>('SELECT name, type FROM pragma_table_info(?)')
    .all(table)
    .map(({ name, type }) => `${name} ${type}`);
const sectionOf = (table: string) => document.split(`\n### ${table}\n`)[1]?.split('\n### ')[0]?.split('\n## ')[0] ?? '';

test('docs/data-model.md describes every table and nothing else', () => {
  const described = [...document.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  expect(described.toSorted()).toEqual(tables.map(({ name }) => name));
});

test.each(['sqlite', 'postgres'])(
  'a migration that landed is as it landed: migrations/%s/SHA256SUMS has the digest of each',
  (engine) => {
    const folder = packageFile('migrations', engine);
    const files = readdirSync(folder).filter((file) => /^\d.*\.sql$/.test(file));
    const digests = files.sort().map((file) => `${hash('sha256', readFileSync(join(folder, file)))}  ${file}`);
    const landed = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
    // A new one gets its line with: (cd migrations/sqlite && sha256sum 0099_noun.sql >> SHA256SUMS)
    expect(digests).toEqual(landed);
  },
);

test.each(tables.map(({ name }) => name))(
  'its section on %s has the columns of the migrations, in their order',
  (table) => {
    const cells = [...sectionOf(table).matchAll(/^\| (`\w+` [A-Z]+(?:, `\w+` [A-Z]+)*) \| /gm)].map(
      ([, cell = '']) => cell,
    );
    const described = cells.flatMap((cell) => cell.replaceAll('`', '').split(', '));
    expect(described).toEqual(columnsOf(table));
  },
);

test('it names every view with its columns, and example queries run', () => {
  const views = db.database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name")
    .pluck()
    .all();
  expect(views).toEqual(['breaks', 'matches', 'runs', 'statement_lines', 'statement_unparsed', 'statements']);
  const missing = views.flatMap((view) => {
    const described = document.split(`\n| \`${view}\` | `)[1]?.split('\n')[0] ?? '';
    const text = view === 'statement_lines' ? `${described}${sectionOf('imported_lines')}` : described;
    return columnsOf(view).filter((column) => !text.includes(`\`${column.split(' ')[0]}\``));
  });
  expect(missing).toEqual([]);
  for (const [, query = ''] of document.matchAll(/^tallyhook sql "([^"]+)"$/gm)) db.database.prepare(query).all();
});

test('the drawing has every table with its keys', () => {
  const drawing = document.split('```mermaid')[1]?.split('```')[0] ?? '';
  const drawn = [...drawing.matchAll(/^ {2}(\w+) \{$/gm)].map(([, name]) => name);
  expect(drawn.toSorted()).toEqual(tables.map(({ name }) => name));
  const wrong = [...drawing.matchAll(/^ {2}(\w+) \{\n([\s\S]*?)\n {2}\}/gm)].flatMap(([, table = '', body = '']) =>
    body
      .split('\n')
      .map((line) => line.trim().split(' '))
      .filter(([type = '', name]) => !columnsOf(table).includes(`${name} ${type.toUpperCase()}`))
      .map(([, name]) => `${table}.${name}`),
  );
  expect(wrong).toEqual([]);
});

const LISTS: Record<string, readonly string[]> = {
  'credentials.kind': CREDENTIAL_KINDS,
  'sessions.way': LOGIN_WAYS,
  'login_attempts.scope': ATTEMPT_SCOPES,
  'approvals.state': APPROVAL_STATES,
  environment: ENVIRONMENTS,
  'events.kind': EVENT_KINDS,
  'requests.kind': KEPT_KINDS,
  'requests.state': REQUEST_STATES,
  'payment_versions.version': COLLECTION_VERSIONS,
  endpoint: VERIFICATION_ENDPOINTS,
  kind: RECORD_KINDS,
  state: EVENT_STATES,
  quarantine: QUARANTINE_REASONS,
  merchant_signature: MERCHANT_SIGNATURES,
  witness: WITNESSES,
  field: MOVING_FIELDS,
  source: CONTENT_SOURCES,
  'counters.name': COUNTERS,
  'arrivals.kind': EVENT_KINDS,
  answer: KEY_ANSWERS,
  'refused_runs.likeness': LIKENESSES.filter((likeness) => likeness !== 'other'),
  likeness: LIKENESSES,
  'backfills.outcome': BACKFILL_OUTCOMES,
  'job_runs.outcome': JOB_OUTCOMES,
  'job_runs.cause': JOB_CAUSES,
  severity: SEVERITIES,
  'alert_notices.channel': ALERT_CHANNELS,
  change: ALERT_CHANGES,
  'alert_notices.state': NOTICE_STATES,
  'accounts.kind': STATEMENT_KINDS,
  'imported_statements.kind': STATEMENT_KINDS,
  'imported_statements.state': STATEMENT_STATES,
  'statement_intake.outcome': INTAKE_OUTCOMES,
  'kept_matches.kind': OUR_KINDS,
  'kept_matches.state': MATCH_STATES,
  'kept_breaks.kind': OUR_KINDS,
  'journal_entries.source': JOURNAL_SOURCES,
  'journal_entries.grouping': JOURNAL_GROUPINGS,
  'journal_lines.role': JOURNAL_ROLES,
  'match_decisions.kind': OUR_KINDS,
  side: SIDES,
  verdict: MATCH_VERDICTS,
  pass: MATCH_PASSES,
  'imported_lines.type': LINE_TYPES,
  'outbox.kind': EVENT_KINDS,
  'outbox.state': ROW_STATES,
  moment: FORWARD_MOMENTS,
  news: FORWARD_NEWS,
  control: CONTROLS,
  'periods.state': PERIOD_STATES,
  'exceptions.kind': OUR_KINDS,
  'exceptions.status': EXCEPTION_STATES,
  'exception_log.before': EXCEPTION_STATES,
  'exception_log.after': EXCEPTION_STATES,
  resolution: RESOLUTIONS,
  approval: ['needed', 'given'],
  'exception_log.act': EXCEPTION_EVENTS,
  list: SEEN_LISTS,
  phase: ['found', 'gone', 'done'],
};
const checks = tables.flatMap(({ name, sql }) =>
  // Two words stand in a list, more of them in a chain of comparisons of the same column.
  [...sql.matchAll(/CHECK \((\w+) (?:IN \('([^)]*)'\)|= '((?:' OR \1 = '|[^'])*)')\)/g)].map(
    ([, column = '', list, chain = '']) =>
      [`${name}.${column}`, column, list?.split("', '") ?? chain.split(`' OR ${column} = '`)] as const,
  ),
);

test.each(checks)('the words that %s may hold are those of the domain', (place, column, words) => {
  expect(words).toEqual(LISTS[place] ?? LISTS[column]);
});

test('every column of a state word has its list checked', () => {
  const missing = tables.flatMap(({ name }) =>
    columnsOf(name)
      .map((column) => column.split(' ')[0] ?? '')
      .filter(
        (column) =>
          name !== 'schema_migrations' && column in LISTS && !checks.some(([place]) => place === `${name}.${column}`),
      )
      .map((column) => `${name}.${column}`),
  );
  expect(missing).toEqual([]);
});

test('the tables of the records have the columns of the domain', () => {
  for (const kind of RECORD_KINDS) {
    const names = columnsOf(`${kind}s`).map((column) => column.split(' ')[0]);
    expect(names).toEqual(expect.arrayContaining([...columnNames(kind)]));
  }
});

test('the words of the domain are explained', () => {
  const words = [...EVENT_STATES, ...QUARANTINE_REASONS, ...FINDING_CODES, ...WITNESSES];
  expect(words.filter((word) => !document.includes(`\`${word}\``))).toEqual([]);
});
