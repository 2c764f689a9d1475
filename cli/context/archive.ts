import type { Archive } from '../../src/store/archive.ts';
import { openArchive } from '../../src/store/open.ts';
import { configFrom } from './config.ts';

/** Runs `work` on the database of the configuration, read-only, beside a running `serve` or without one. */
export async function withArchive<Result>(
  argv: { config?: string | undefined },
  work: (archive: Archive) => Promise<Result>,
): Promise<Result> {
  const archive = openArchive(configFrom(argv).database);
  try {
    return await work(archive);
  } finally {
    await archive.close();
  }
}
