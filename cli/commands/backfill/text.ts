import type { BackfillProgress } from '../../../src/confirm/backfill-order.ts';
import type { BackfillResult, WalkResult } from '../../../src/confirm/backfill-result.ts';
import { note, print } from '../../show/output.ts';
import { type Progress, progressBar } from '../../show/progress.ts';
import { duration, isoTime, time } from '../../show/text.ts';

// Progress and result of a walk along the service's list.

/** References of new records that are printed per walk; JSON has up to 100. */
const MOST_SHOWN = 20;

export function backfillJson({ dryRun, walks }: BackfillResult) {
  return { dryRun, walks: walks.map(({ sinceMs, ...walk }) => ({ ...walk, since: isoTime(sinceMs) })) };
}

export function printBackfill({ dryRun, walks }: BackfillResult): void {
  for (const walk of walks) printWalk(walk, dryRun);
}

function printWalk(walk: WalkResult, dryRun: boolean): void {
  const { environment, rows, pages, created, known, news, older, unreadable, missed, absent, sinceMs } = walk;
  const made = dryRun ? 'would be created' : 'created';
  const counts = `${rows} ${rows === 1 ? 'row' : 'rows'} on ${pages} ${pages === 1 ? 'page' : 'pages'} in ${duration(walk.tookMs)}`;
  print(
    `${environment}: ${counts}: ${created} ${made}, ${known} known${news > 0 ? `, ${news} of them differ from their record` : ''}`,
  );
  const shown = walk.createdReferences.slice(0, MOST_SHOWN);
  for (const reference of shown) print(`  ${reference.replaceAll('\n', '\ufffd')}`);
  if (created > shown.length) print(`  and ${created - shown.length} more`);
  if (older > 0) print(`${older} left out: older than --since, and without a record`);
  if (unreadable > 0) print(`${unreadable} could not be read`);
  if (missed > 0) {
    // 0 before the first complete walk: every record is judged.
    const since = sinceMs === 0 ? '' : ` that changed since ${time(sinceMs)}`;
    print(
      `${missed} known ${missed === 1 ? 'refund' : 'refunds'}${since} ${missed === 1 ? 'is' : 'are'} missing from the list`,
    );
  }
  if (absent > 0)
    print(
      `${absent} of them ${absent === 1 ? 'was' : 'were'} missing before, too; see: tallyhook findings --code absent`,
    );
  if (walk.outcome !== 'complete') note(`tallyhook: the walk of ${environment} ${ENDED[walk.outcome]}: ${walk.detail}`);
}

const ENDED = {
  resumed: 'proves no absence',
  unreadable: 'proves no absence',
  limited: 'was cut short',
  stopped: 'was cut short',
  failed: 'failed',
} as const satisfies Record<Exclude<WalkResult['outcome'], 'complete'>, string>;

/** Draws the progress of walks on stderr: a bar when the list has a total, a count otherwise, and each new problem. */
export function listProgress(): { show(progress: BackfillProgress): void; end(): void } {
  let bar: Progress | null = null;
  let drawn = '';
  let lastProblem: string | null = null;
  return {
    show({ environment, counts: { rows }, total, problem }) {
      if (problem !== null && problem !== lastProblem) {
        bar?.end();
        note(`tallyhook: ${environment}: ${problem} The page is fetched again.`);
      }
      lastProblem = problem;
      const now = `${environment} ${total}`;
      if (bar === null || now !== drawn) {
        bar?.end();
        bar = progressBar(total, `rows of ${environment}`);
        drawn = now;
      }
      bar.step(rows);
    },
    end: () => bar?.end(),
  };
}
