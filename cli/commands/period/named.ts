import type { Config } from '../../../src/config/load.ts';
import { periodOf } from '../../../src/domain/periods/period.ts';
import type { PeriodOrder } from '../../../src/reconcile/closing/facts.ts';
import { setNamed } from '../../../src/reconcile/closing/sets.ts';
import type { Archive } from '../../../src/store/archive.ts';
import type { OpenOperations } from '../../../src/store/store.ts';
import { withArchive } from '../../context/archive.ts';
import { operationsOf } from '../../context/operations.ts';
import { UsageError } from '../../options/options.ts';

/** What names a period on the command line. */
export const PERIOD_POSITIONAL = {
  type: 'string',
  demandOption: true,
  describe: 'A month, 2026-10, or its days, 2026-10-01..2026-10-15',
} as const;

export const SET_OPTION = {
  set: { type: 'string', requiresArg: true, describe: 'Which accounts: a set of the configuration, else test or live' },
} as const;

export const AS_OPTION = {
  as: { type: 'string', requiresArg: true, describe: 'Who says so [TALLYHOOK_AS, else your user name]' },
} as const;

export interface PeriodArguments {
  readonly period: string;
  readonly set: string | undefined;
  readonly config: string | undefined;
}

/** The period that is meant. @throws UsageError */
export async function periodOrder(argv: PeriodArguments, archive: Archive, config: Config): Promise<PeriodOrder> {
  const period = periodOf(argv.period);
  if (period === null) {
    const hint = 'Give a month such as 2026-10, or days such as 2026-10-01..2026-10-15.';
    throw new UsageError(`${JSON.stringify(argv.period)} is no period.`, hint);
  }
  const set = await setNamed(argv.set, config.periods.sets, archive);
  const { timeZone: zone, reconcile, periods } = config;
  return { set, period, dayRule: { zone, cutOffMinutes: reconcile.cutOffMinutes }, until: periods.until };
}

/** Runs `work` with the period, the archive, and what writes. */
export async function withPeriod<Result>(
  argv: PeriodArguments,
  work: (order: PeriodOrder, archive: Archive, operations: OpenOperations, config: Config) => Promise<Result>,
): Promise<Result> {
  return withArchive(argv, async (archive, config) => {
    const order = await periodOrder(argv, archive, config);
    const operations = await operationsOf(config);
    try {
      return await work(order, archive, operations, config);
    } finally {
      await operations.close();
    }
  });
}
