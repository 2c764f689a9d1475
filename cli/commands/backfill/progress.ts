import type { BackfillProgress } from '../../../src/confirm/backfill.ts';
import { note } from '../../show/output.ts';
import { type Progress, progressBar } from '../../show/progress.ts';

/** How a walk goes, on stderr: a bar once the list says how long it is, a count until then, and what it waits for. */
export function listProgress(): { show(progress: BackfillProgress): void; end(): void } {
  let bar: Progress | null = null;
  let drawn = '';
  let told: string | null = null;
  return {
    show({ environment, rows, total, problem }) {
      if (problem !== null && problem !== told) {
        bar?.end();
        note(`tallyhook: ${environment}: ${problem} It is tried again.`);
      }
      told = problem;
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
