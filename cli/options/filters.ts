import { ENVIRONMENTS, type Environment } from '../../src/domain/environment.ts';
import { EVENT_KINDS, EVENT_STATES, type EventKind, type EventState } from '../../src/domain/events/event.ts';
import type { Amount } from '../../src/domain/money/amount.ts';
import type { EventFilter } from '../../src/store/events.ts';
import { type Page, RECORD_TIMES, type RecordFilter, type RecordTime } from '../../src/store/records.ts';
import { amountOption } from './money.ts';
import { UsageError, wholeNumberOption } from './options.ts';
import { REASON_OPTION } from './person.ts';
import { type Calendar, periodOf } from './when.ts';

/** A filter by one or more words of a list. */
export function oneOrMore<const Word extends string>(choices: readonly Word[], describe: string) {
  return { choices, array: true, requiresArg: true, describe: `${describe}; several: repeated` } as const;
}

/** Filters that lists of events and lists of records have in common. */
export const COMMON_FILTERS = {
  environment: { choices: ENVIRONMENTS, describe: 'Only this environment' },
  reference: { type: 'string', requiresArg: true, describe: 'Only this reference', coerce: notEmpty('reference') },
  status: {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: 'Only this status; several: comma between, or repeated',
    coerce: statusesIn,
  },
  since: { type: 'string', requiresArg: true, describe: 'Not before: date or time in timeZone, or 2h, 7d ago' },
  until: { type: 'string', requiresArg: true, describe: 'Before: as --since; a date includes that day' },
} as const;

export const EVENT_FILTERS = {
  ...COMMON_FILTERS,
  kind: oneOrMore(EVENT_KINDS, 'Only events of this kind'),
  event: {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: 'Only events of this name, such as refund.success; several: repeated',
    coerce: noneEmpty('event'),
  },
  state: oneOrMore(EVENT_STATES, 'Only events of this state'),
} as const;

export const RECORD_FILTERS = {
  ...COMMON_FILTERS,
  confirmed: { type: 'boolean', default: false, describe: 'Only what the service confirmed: --status is that status' },
  amount: amountOption('Only of exactly this amount'),
  currency: { type: 'string', requiresArg: true, describe: 'Only in this currency' },
  by: {
    choices: RECORD_TIMES,
    default: 'effective' as const,
    describe: '--since and --until mean when it was paid or completed, or when we last learnt something new',
  },
} as const;

export const PAGE_OPTIONS = {
  limit: wholeNumberOption('limit', { least: 1, most: 10_000, standard: 50, describe: 'Rows at most' }),
  all: { type: 'boolean', default: false, describe: 'All rows, without a limit' },
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
  reveal: {
    type: 'boolean',
    default: false,
    describe: 'Show account numbers, names, e-mail addresses and phones in full',
  },
  ...REASON_OPTION,
} as const;

interface CommonArguments {
  readonly environment: Environment | undefined;
  readonly reference: string | undefined;
  readonly status: readonly string[] | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
}

export interface EventArguments extends CommonArguments {
  readonly kind: readonly EventKind[] | undefined;
  readonly event: readonly string[] | undefined;
  readonly state: readonly EventState[] | undefined;
}

export interface RecordArguments extends CommonArguments {
  readonly confirmed: boolean;
  readonly by: RecordTime;
  readonly amount?: Amount | undefined;
  readonly currency?: string | undefined;
}

/** @throws UsageError */
export function eventFilter({ kind, event, state, ...common }: EventArguments, calendar: Calendar): EventFilter {
  return {
    ...commonFilter(common, calendar),
    ...(kind !== undefined && { kinds: kind }),
    ...(event !== undefined && { events: event }),
    ...(state !== undefined && { states: state }),
  };
}

/** @throws UsageError */
export function recordFilter(
  { confirmed, by, amount, currency, ...common }: RecordArguments,
  calendar: Calendar,
): RecordFilter {
  return {
    ...{ ...commonFilter(common, calendar), confirmed, by },
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency }),
  };
}

function commonFilter({ environment, reference, status, ...period }: CommonArguments, calendar: Calendar) {
  return {
    ...(environment !== undefined && { environment }),
    ...(reference !== undefined && { reference }),
    ...(status !== undefined && { statuses: status }),
    ...periodOf(period, calendar),
  };
}

export function pageOf(argv: { limit: number; all: boolean; after: number | undefined; oldestFirst: boolean }): Page {
  const { limit, all, after, oldestFirst } = argv;
  return {
    limit: all ? Number.POSITIVE_INFINITY : limit,
    order: oldestFirst ? 'oldest' : 'newest',
    ...(after !== undefined && { afterId: after }),
  };
}

/** Refuses `--reference ''`, as of an unset variable of a shell: it would match nothing, and look like an answer. */
function notEmpty(name: string) {
  return (value: string | undefined): string | undefined => {
    if (value === '') throw new UsageError(`--${name} is empty.`);
    return value;
  };
}

/** As `notEmpty`, for an option that may be repeated. */
function noneEmpty(name: string) {
  const check = notEmpty(name);
  return (values: readonly string[] | undefined): readonly string[] | undefined => {
    for (const value of values ?? []) check(value);
    return values;
  };
}

/** `--status failed,reversed --status pending` as three statuses. */
function statusesIn(given: readonly string[] | undefined): readonly string[] | undefined {
  if (given === undefined) return undefined;
  const statuses = given.flatMap((text) => text.split(',')).map((text) => text.trim());
  if (statuses.every((status) => status !== '')) return [...new Set(statuses)];
  throw new UsageError(`--status is ${JSON.stringify(given.join(','))}: a status is missing.`);
}
