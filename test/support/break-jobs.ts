import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';

// Loaded before the program (`node --import`), into each of its threads: breaks the jobs' thread, once, and notes each of
// its starts in a file beside the mark.

const { BREAK_JOBS: mark = '' } = process.env;
if (!isMainThread && Object(workerData).config !== undefined) {
  appendFileSync(`${mark}.starts`, 'started\n');
  if (existsSync(mark)) {
    rmSync(mark);
    setTimeout(() => {
      throw new Error('broken on purpose');
    }, 100);
  }
}
