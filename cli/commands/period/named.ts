import type { Config } from '../../../src/config/load.ts';
import type { PeriodOrder } from '../../../src/reconcile/closing/facts.ts';
import { namedPeriod } from '../../../src/reconcile/closing/order.ts';
import type { Archive } from '../../../src/store/archive.ts';
import type { OpenOperations } from '../../../src/store/store.ts';
import { withArchive } from '../../context/archive.ts';
import { operationsOf } from '../../context/operations.ts';

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

export const DIGEST_OPTION = {
  digest: {
    type: 'string',
    requiresArg: true,
    describe: 'That of the closing which you have seen, as `period show` prints it; another one is refused',
  },
} as const;

export interface PeriodArguments {
  readonly period: string;
  readonly set: string | undefined;
  readonly config: string | undefined;
}

/** Of the closing that a person signs: the one that was named, else the last one, which the command then prints. */
export async function signedDigest(
  archive: Archive,
  { set, period }: PeriodOrder,
  named: string | undefined,
): Promise<string> {
  return named ?? (await archive.period(set.name, period.name))?.closings.at(-1)?.digest ?? '';
}

/** Runs `work` with the period, the archive, and what writes. */
export async function withPeriod<Result>(
  argv: PeriodArguments,
  work: (order: PeriodOrder, archive: Archive, operations: OpenOperations, config: Config) => Promise<Result>,
): Promise<Result> {
  return withArchive(argv, async (archive, config) => {
    const order = await namedPeriod(argv, archive, config);
    const operations = await operationsOf(config);
    try {
      return await work(order, archive, operations, config);
    } finally {
      await operations.close();
    }
  });
}
