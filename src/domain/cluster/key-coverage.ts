import type { NodeKey } from './node-key.ts';

/** A key pair, and which machines have it. */
export interface KeyCoverage {
  readonly id: string;
  /** Machines that have the pair which most have under this id. */
  readonly on: readonly string[];
  /** Machines without a pair of this id. */
  readonly missingOn: readonly string[];
  /** Machines whose pair of this id has other keys. */
  readonly otherOn: readonly string[];
}

/** A machine that is asked. */
export interface KeyHolder {
  readonly name: string;
  readonly keys: readonly NodeKey[];
}

/** Returns which machines have which key pair, by id. A service may be switched to a pair once no machine is without it. */
export function keyCoverage(holders: readonly KeyHolder[]): KeyCoverage[] {
  const ids = [...new Set(holders.flatMap(({ keys }) => keys.map(({ id }) => id)))].toSorted();
  return ids.map((id) => {
    const seen = holders.map(({ name, keys }) => ({ name, key: keys.find((one) => one.id === id) }));
    const fingerprint = mostUsed(seen.flatMap(({ key }) => (key === undefined ? [] : [key.fingerprint])));
    const namesOf = (isMeant: (key: NodeKey | undefined) => boolean) =>
      seen.filter(({ key }) => isMeant(key)).map(({ name }) => name);
    return {
      id,
      on: namesOf((key) => key?.fingerprint === fingerprint),
      missingOn: namesOf((key) => key === undefined),
      otherOn: namesOf((key) => key !== undefined && key.fingerprint !== fingerprint),
    };
  });
}

/** Among equals the first one. */
function mostUsed(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}
