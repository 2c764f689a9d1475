import type { Environment } from '../../src/domain/environment.ts';
import type { EventKind } from '../../src/domain/events/event.ts';
import { EVENT_KINDS } from '../../src/domain/events/event.ts';
import { SHOWN_ROW_STATES, type ShownRowState } from '../../src/domain/forwarding/forward-row.ts';
import type { OutboxFilter } from '../../src/store/outbox.ts';
import { COMMON_FILTERS, oneOrMore } from './filters.ts';
import { type Calendar, periodOf } from './when.ts';

/** Filters of the rows of the outbox. */
export const OUTBOX_FILTERS = {
  target: { type: 'string', requiresArg: true, describe: 'Only for this target' },
  environment: COMMON_FILTERS.environment,
  kind: oneOrMore(EVENT_KINDS, 'Only about this kind'),
  reference: COMMON_FILTERS.reference,
  state: oneOrMore(SHOWN_ROW_STATES, 'Only in this state'),
  since: COMMON_FILTERS.since,
  until: COMMON_FILTERS.until,
} as const;

export interface OutboxArguments {
  readonly target: string | undefined;
  readonly environment: Environment | undefined;
  readonly kind: readonly EventKind[] | undefined;
  readonly reference: string | undefined;
  readonly state: readonly ShownRowState[] | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** @throws UsageError */
export function outboxFilter({ since, until, ...argv }: OutboxArguments, calendar: Calendar): OutboxFilter {
  const { target, environment, kind, reference, state } = argv;
  return {
    ...(target !== undefined && { target }),
    ...(environment !== undefined && { environment }),
    ...(kind !== undefined && { kinds: kind }),
    ...(reference !== undefined && { reference }),
    ...(state !== undefined && { states: state }),
    ...periodOf({ since, until }, calendar),
  };
}
