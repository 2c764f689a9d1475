import { didYouMean } from '../../src/config/did-you-mean.ts';
import type { Config } from '../../src/config/load.ts';
import { type HttpTarget, httpTargets } from '../../src/forward/targets.ts';
import type { OutboxArchive } from '../../src/store/outbox.ts';
import { UsageError } from './options.ts';

/**
 * Refuses a target that neither the configuration nor the database knows. The database knows those that are gone, whose rows
 * are orphaned, and the application in the same process.
 *
 * @throws UsageError with the nearest known target
 */
export async function requireTarget(
  name: string | undefined,
  { forward }: Pick<Config, 'forward'>,
  archive: Pick<OutboxArchive, 'targets'>,
): Promise<void> {
  const configured = forward.targets.map((target) => target.name);
  if (name === undefined || configured.includes(name)) return;
  const known = [...new Set([...configured, ...(await archive.targets()).map((target) => target.name)])].sort();
  if (!known.includes(name)) throw unknownTarget(name, known, 'There are none: forward.targets is empty.');
}

/** `none` says why there are no known ones. */
function unknownTarget(name: string, known: readonly string[], none: string): UsageError {
  const meant = didYouMean(name, known);
  const advice = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return new UsageError(
    `There is no target ${JSON.stringify(name)}.${advice}`,
    known.length === 0 ? none : `Targets: ${known.join(', ')}.`,
  );
}

/** @throws UsageError when the configuration has no such target */
export function namedTarget(name: string, config: Pick<Config, 'forward'>): HttpTarget {
  const targets = httpTargets(config);
  const found = targets.find((target) => target.name === name);
  if (found !== undefined) return found;
  throw unknownTarget(
    name,
    targets.map((target) => target.name),
    'forward.targets has none.',
  );
}
