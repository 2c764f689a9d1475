import { ACTS, type ActName } from '../../src/domain/audit/acts.ts';
import type { AuditFilter } from '../../src/store/audit.ts';
import { COMMON_FILTERS, oneOrMore } from './filters.ts';
import { type Calendar, periodOf } from './when.ts';

/** Filters of the audit chain. */
export const AUDIT_FILTERS = {
  who: { type: 'string', requiresArg: true, describe: 'Only of this person; tallyhook: of runs and jobs' },
  act: oneOrMore(ACTS, 'Only this act'),
  subject: { type: 'string', requiresArg: true, describe: 'Only about this, such as statement:3' },
  since: COMMON_FILTERS.since,
  until: COMMON_FILTERS.until,
} as const;

export interface AuditArguments {
  readonly who: string | undefined;
  readonly act: readonly ActName[] | undefined;
  readonly subject: string | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** @throws UsageError */
export function auditFilter({ who, act, subject, ...period }: AuditArguments, calendar: Calendar): AuditFilter {
  return {
    ...(who !== undefined && { who }),
    ...(act !== undefined && { acts: act }),
    ...(subject !== undefined && { subject }),
    ...periodOf(period, calendar),
  };
}
