import { ENVIRONMENTS, type Environment } from '../../src/domain/environment.ts';
import { EVENT_KINDS, EVENT_STATES, type EventKind, type EventState } from '../../src/domain/event.ts';
import type { EventFilter } from '../../src/store/events.ts';
import type { Page } from '../../src/store/records.ts';
import { systemClock } from '../../src/time/clock.ts';
import { wholeNumberOption } from './options.ts';
import { instantOf } from './when.ts';

/** Filters that lists of events and lists of records have in common. */
export const COMMON_FILTERS = {
  environment: { choices: ENVIRONMENTS, describe: 'Only this environment' },
  reference: { type: 'string', requiresArg: true, describe: 'Only this reference' },
  status: { type: 'string', requiresArg: true, describe: 'Only this status' },
  since: { type: 'string', requiresArg: true, describe: 'Not before: ISO time with offset, date (UTC), or 2h, 7d ago' },
  until: { type: 'string', requiresArg: true, describe: 'Before: as --since; a date includes that whole day' },
} as const;

export const EVENT_FILTERS = {
  ...COMMON_FILTERS,
  kind: { choices: EVENT_KINDS, describe: 'Only events of this kind' },
  event: { type: 'string', requiresArg: true, describe: 'Only events of this name, such as refund.success' },
  state: { choices: EVENT_STATES, describe: 'Only events of this state' },
} as const;

export const PAGE_OPTIONS = {
  limit: wholeNumberOption('limit', { least: 1, most: 10_000, standard: 50, describe: 'Rows at most' }),
  after: wholeNumberOption('after', { standard: undefined, describe: 'Continue after the row with this id' }),
  'oldest-first': { type: 'boolean', default: false, describe: 'Begin with the oldest' },
} as const;

/** For an installation that has given up `serve`. */
export const SERVE_OPTION = {
  serve: {
    type: 'boolean',
    default: true,
    describe: 'Expect that serve is running; --no-serve: commands by cron only',
  },
} as const;

export const REVEAL_OPTION = {
  reveal: { type: 'boolean', default: false, describe: 'Show account numbers, e-mail addresses and phones in full' },
} as const;

interface CommonArguments {
  readonly environment: Environment | undefined;
  readonly reference: string | undefined;
  readonly status: string | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
}

export interface EventArguments extends CommonArguments {
  readonly kind: EventKind | undefined;
  readonly event: string | undefined;
  readonly state: EventState | undefined;
}

export function commonFilter({ environment, reference, status, since, until }: CommonArguments) {
  const nowMs = systemClock.nowMs();
  return {
    ...(environment !== undefined && { environment }),
    ...(reference !== undefined && { reference }),
    ...(status !== undefined && { status }),
    ...(since !== undefined && { sinceMs: instantOf(since, 'since', nowMs) }),
    ...(until !== undefined && { untilMs: instantOf(until, 'until', nowMs) }),
  };
}

export function eventFilter({ kind, event, state, ...common }: EventArguments): EventFilter {
  return {
    ...commonFilter(common),
    ...(kind !== undefined && { kind }),
    ...(event !== undefined && { event }),
    ...(state !== undefined && { state }),
  };
}

export function pageOf(argv: { limit: number; after: number | undefined; oldestFirst: boolean }): Page {
  const { limit, after, oldestFirst } = argv;
  return { limit, order: oldestFirst ? 'oldest' : 'newest', ...(after !== undefined && { afterId: after }) };
}
