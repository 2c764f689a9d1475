import { dirname, join } from 'node:path';
import { STANDARD_CHECK_RULES } from '../../src/domain/checks/next-check.ts';
import type { FollowScope } from '../../src/domain/exceptions/follow-scope.ts';
import { STANDARD_REASONS } from '../../src/domain/exceptions/reasons.ts';
import type { ExceptionAct } from '../../src/store/exceptions.ts';
import { openStore } from '../../src/store/open.ts';
import { type KeptBreak, MOST_BREAKS_KEPT } from '../../src/store/runs.ts';
import type { Clock } from '../../src/time/clock.ts';
import { BREAK } from './fee-break.ts';
import './kept-threads.ts';
import { openOperations } from './operations.ts';

export const FEE: KeptBreak = {
  ...BREAK,
  reason: 'fee 15.00, our records say 12.50',
  nextStep: 'Claim the difference.',
};

/** Keeps runs in a database, and follows them, as `reconcile` does. */
export class Queue {
  readonly #path: string;
  readonly #clock: Clock;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  store() {
    return openStore(this.#path, { clock: this.#clock, auditKey: join(dirname(this.#path), 'audit.key') });
  }

  /** On this thread. */
  operations() {
    return openOperations(this.#path, STANDARD_CHECK_RULES, this.#clock);
  }

  /** A run of October by default that found these; it is followed to its end unless `follows` is false. */
  async run(
    breaks: readonly Partial<KeptBreak>[],
    over: Partial<FollowScope> & { readonly carried?: readonly Partial<KeptBreak>[]; readonly follows?: boolean } = {},
  ): Promise<number> {
    const { carried = [], follows = true, ...narrower } = over;
    const scope: FollowScope = { ...FOLLOWS_OCTOBER, ...narrower };
    const { runs, exceptions, close } = this.operations();
    const { from, to, environment, account } = scope;
    const { run } = await runs.beginRun({
      ...{ from, to, environment, account, asAtMs: 0, zone: 'Africa/Lagos', cutOffMinutes: 1_440, what: 'all' },
      rules: { name: 'standard', digest: 'd', text: '' },
    });
    for (let start = 0; start < breaks.length; start += MOST_BREAKS_KEPT) {
      const some = breaks.slice(start, start + MOST_BREAKS_KEPT);
      await runs.keepBreaks({ run, breaks: some.map((one) => ({ ...FEE, ...one })) });
    }
    await runs.keepBreaks({ run, breaks: carried.map((one) => ({ ...FEE, ...one })), carried: true });
    await runs.finishRun({ run, report: '{}', scope });
    if (follows) while (!(await exceptions.follow()).done);
    await close();
    return run;
  }

  async act(...acts: readonly ExceptionAct[]) {
    const { exceptions, close } = this.operations();
    return exceptions.act({ acts, reasons: STANDARD_REASONS }).finally(close);
  }

  async exception(id = FEE.id) {
    const archive = await this.store().archive();
    return archive.exception(id).finally(() => archive.close());
  }

  /** `ACT BEFORE>AFTER` of each version, and the run in there. */
  async log(id = FEE.id): Promise<string[]> {
    const archive = await this.store().archive();
    const entries = await archive.exceptionLog(id).finally(() => archive.close());
    return entries.map(
      ({ act, before, after, run }) => `${act} ${before}>${after}${run === null ? '' : ` by run ${run}`}`,
    );
  }
}

export const FOLLOWS_OCTOBER: FollowScope = {
  from: '2026-10-01',
  to: '2026-10-31',
  judgedDay: '2026-10-31',
  environment: null,
  account: null,
  leg: null,
  legs: ['records-wallet', 'batch-bank'],
  kinds: null,
  first: '2026-10-01',
  openings: [],
  gone: [],
};
