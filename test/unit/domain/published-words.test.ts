import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ALERT_CHANGES } from '../../../src/domain/alerts/alert.ts';
import { ALERT_CAUSES, ALERT_CHANNELS, SEVERITIES } from '../../../src/domain/alerts/alert-cause.ts';
import { NOTICE_STATES } from '../../../src/domain/alerts/alert-notice.ts';
import { ANSWER_FAULTS } from '../../../src/domain/checks/answer-fault.ts';
import { KEY_ANSWERS, OUTCOMES, UNCOUNTED_OUTCOMES } from '../../../src/domain/checks/check.ts';
import { BACKFILL_OUTCOMES } from '../../../src/domain/checks/list-walk.ts';
import { ENVIRONMENTS } from '../../../src/domain/environment.ts';
import { EVENT_KINDS, EVENT_STATES, QUARANTINE_REASONS } from '../../../src/domain/events/event.ts';
import { CONTENT_SOURCES } from '../../../src/domain/events/webhook-observation.ts';
import { EXPECTATION_STATES, EXPECTED_CODES } from '../../../src/domain/expectations/expectation.ts';
import { CHECKED_CODES, FINDING_CODES, OBSERVED_CODES } from '../../../src/domain/findings/finding.ts';
import { ATTEMPT_OUTCOMES, ROW_STATES, SHOWN_ROW_STATES } from '../../../src/domain/forwarding/forward-row.ts';
import { FORWARD_MOMENTS, FORWARD_NEWS } from '../../../src/domain/forwarding/forward-target.ts';
import { JOB_NAMES, JOB_OUTCOMES } from '../../../src/domain/jobs/job.ts';
import { BREAK_CODES, SIDES } from '../../../src/domain/reconciling/break.ts';
import { BEARERS, OUR_KINDS, PASSES, ROUNDINGS } from '../../../src/domain/reconciling/rules.ts';
import { RECORD_KINDS } from '../../../src/domain/records/lifecycle.ts';
import { WITNESSES } from '../../../src/domain/records/observation.ts';
import { MOVING_FIELDS } from '../../../src/domain/records/record-move.ts';
import { AGE_BUCKETS } from '../../../src/domain/records/settling-age.ts';
import { LIKENESSES } from '../../../src/domain/refusals/refused-run.ts';
import { VERDICT_FAILURES, VERDICTS } from '../../../src/domain/requests/callback-verdict.ts';
import {
  COLLECTION_VERSIONS,
  KEPT_KINDS,
  REQUEST_STATES,
  VERIFICATION_ENDPOINTS,
} from '../../../src/domain/requests/request.ts';
import { LINE_TYPES, PROOF_ROWS, STATEMENT_KINDS } from '../../../src/domain/statements/lines.ts';
import { CONTROLS } from '../../../src/domain/statements/statement.ts';
import { INTAKE_OUTCOMES } from '../../../src/domain/statements/statement-intake.ts';
import { packageFile } from '../../../src/package-root.ts';

/*
 * States, codes and kinds leave the program: in JSON, in columns, in the configuration. Programs of others compare them, so
 * that each is documented as it is written.
 */

const DOCUMENTATION = globSync('docs/*.md', { cwd: packageFile() })
  .map((path) => readFileSync(packageFile(path), 'utf8'))
  .join('\n');

const PUBLISHED: Readonly<Record<string, readonly string[]>> = {
  ALERT_CHANGES,
  ALERT_CAUSES,
  ALERT_CHANNELS,
  SEVERITIES,
  NOTICE_STATES,
  ANSWER_FAULTS,
  BREAK_CODES,
  SIDES,
  KEY_ANSWERS,
  OUTCOMES,
  UNCOUNTED_OUTCOMES,
  ENVIRONMENTS,
  EVENT_KINDS,
  EVENT_STATES,
  QUARANTINE_REASONS,
  EXPECTATION_STATES,
  EXPECTED_CODES,
  CHECKED_CODES,
  FINDING_CODES,
  OBSERVED_CODES,
  ATTEMPT_OUTCOMES,
  ROW_STATES,
  SHOWN_ROW_STATES,
  FORWARD_MOMENTS,
  FORWARD_NEWS,
  JOB_NAMES,
  JOB_OUTCOMES,
  RECORD_KINDS,
  BACKFILL_OUTCOMES,
  WITNESSES,
  MOVING_FIELDS,
  LIKENESSES,
  COLLECTION_VERSIONS,
  KEPT_KINDS,
  REQUEST_STATES,
  VERIFICATION_ENDPOINTS,
  BEARERS,
  OUR_KINDS,
  PASSES,
  ROUNDINGS,
  AGE_BUCKETS,
  CONTROLS,
  LINE_TYPES,
  PROOF_ROWS,
  STATEMENT_KINDS,
  INTAKE_OUTCOMES,
  VERDICT_FAILURES,
  VERDICTS,
  CONTENT_SOURCES,
};

test.each(Object.entries(PUBLISHED))('each of %s is a word of its own that the documentation names', (_name, words) => {
  expect(words.filter((word) => word === '' || !DOCUMENTATION.includes(`\`${word}\``))).toEqual([]);
  expect(new Set(words).size).toBe(words.length);
});
