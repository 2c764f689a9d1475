import type { Config } from '../../src/config/load.ts';
import type { Archive } from '../../src/store/archive.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { configFrom } from './config.ts';

/** Runs `work` on the configuration and its database, read-only; `serve` may run at the same time. */
export async function withArchive<Result>(
  argv: { config?: string | undefined },
  work: (archive: Archive, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = await configFrom(argv);
  return withArchiveOf(config, (archive) => work(archive, config));
}

/** The same, for a command that has read its configuration already. */
export async function withArchiveOf<Result>(
  config: Config,
  work: (archive: Archive) => Promise<Result>,
): Promise<Result> {
  const archive = await storeOf(config).archive();
  try {
    return await work(archive);
  } finally {
    await archive.close();
  }
}
