import { isDeepStrictEqual } from 'node:util';
import { Secret } from '../domain/secrets/secret.ts';
import type { Config } from './load.ts';

type Tree = Readonly<Record<string, unknown>>;

/** What says where a configuration came from, and what a reload takes over: keys. */
const LEFT_OUT = ['file', 'variables', 'keyPairs'];

/**
 * Returns the paths of the settings that differ and that a reload does not take over: all but keys and the secrets of targets.
 * Never a value. Members of a list with names are compared by name: `forward.targets[shop].url`.
 */
export function settingsNotReloaded(running: Config, latest: Config): string[] {
  return changes(comparable(running), comparable(latest), '');
}

function comparable(config: Config): Tree {
  const settings = Object.entries(config).filter(([name]) => !LEFT_OUT.includes(name));
  const targets = config.forward.targets.map(({ secrets: _, ...target }) => target);
  return { ...Object.fromEntries(settings), forward: { ...config.forward, targets } };
}

function changes(before: unknown, after: unknown, path: string): string[] {
  const [old, fresh] = [membersOf(before), membersOf(after)];
  if (old === null || fresh === null) return isEqual(before, after) ? [] : [path];
  const names = [...new Set([...Object.keys(old.members), ...Object.keys(fresh.members)])];
  return names.flatMap((name) =>
    changes(old.members[name], fresh.members[name], old.isList ? `${path}[${name}]` : dotted(path, name)),
  );
}

/** Null for what is compared as a whole: a value, a secret, a list without names. */
function membersOf(value: unknown): { readonly members: Tree; readonly isList: boolean } | null {
  if (Array.isArray(value)) {
    const named = value.map((member) => [Object(member).name, member] as const);
    const isNamed = named.every(([name]) => typeof name === 'string');
    return isNamed ? { members: Object.fromEntries(named), isList: true } : null;
  }
  if (typeof value !== 'object' || value === null || value instanceof Secret) return null;
  return { members: value as Tree, isList: false };
}

function isEqual(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(revealed(one), revealed(other));
}

function revealed(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  return Array.isArray(value) ? value.map(revealed) : value;
}

function dotted(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
