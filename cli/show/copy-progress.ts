import type { CopyProgress } from '../../src/store/upkeep.ts';
import { type Progress, progressBar } from './progress.ts';

const BYTES_PER_MB = 1_000_000;

/** The progress of a copy of the database, in MB; nothing is drawn for less than one. */
export function copyProgress() {
  let bar: Progress | undefined;
  return {
    onProgress({ doing, copiedBytes, totalBytes }: CopyProgress): void {
      bar ??= progressBar(Math.floor(totalBytes / BYTES_PER_MB), 'MB copied');
      bar.step(Math.floor(copiedBytes / BYTES_PER_MB), doing === 'copying' ? '' : doing);
    },
    end: () => bar?.end(),
  };
}
