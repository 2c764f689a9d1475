import { existsSync, rmSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';

// Loaded before the program (`node --import`), into each of its threads: breaks the jobs' thread, once.

const { BREAK_JOBS: mark = '' } = process.env;
if (!isMainThread && Object(workerData).holder !== undefined && existsSync(mark)) {
  rmSync(mark);
  setTimeout(() => {
    throw new Error('broken on purpose');
  }, 100);
}
