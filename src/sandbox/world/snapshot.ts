import { createHash } from 'node:crypto';
import { settingsSchema } from './settings.ts';
import { emptyState, type State } from './state.ts';
import type { World } from './world.ts';

/** Marks the text of a snapshot and the version of its format. */
const FORMAT = 'tallyhook sandbox 1';

/**
 * The sandbox as JSON `{format, digest, settings, state}`; the state includes jobs and time. `digest` is the SHA-256 of
 * settings and state and shows damage. Maps and amounts are tagged (`$map`, `$money`), since JSON has neither.
 */
export function takeSnapshot(world: World): string {
  const state: State = { ...world.state, nowMs: world.clock.now(), jobs: [...world.clock.jobs()] };
  const content = JSON.stringify({ settings: world.settings, state }, (_key, value: unknown) => {
    if (typeof value === 'bigint') return { $money: value.toString() };
    return value instanceof Map ? { $map: [...value] } : value;
  });
  return `{"format":${JSON.stringify(FORMAT)},"digest":"${digestOf(content)}",${content.slice(1)}`;
}

/** Replaces the whole state by a snapshot. Throws, and changes nothing, when the text is no snapshot or was altered. */
export function restoreSnapshot(world: World, text: string, catchUp = false): void {
  const { settings, state } = readSnapshot(text);
  checkShape(state, emptyState(0), 'state');
  world.settings = settingsSchema.parse(settings);
  world.state = state;
  world.webhooks.forget();
  world.clock.replace(state.nowMs, state.jobs, catchUp);
  world.webhooks.resume();
  world.changes++;
}

function readSnapshot(text: string): { settings: unknown; state: State } {
  const read = JSON.parse(text) as { format?: unknown; digest?: unknown; settings?: unknown; state?: unknown } | null;
  if (read?.format !== FORMAT || typeof read.state !== 'object' || read.state === null)
    throw new Error(`not a snapshot of this sandbox ("${FORMAT}" is missing)`);
  const content = JSON.stringify({ settings: read.settings, state: read.state });
  if (read.digest !== digestOf(content)) throw new Error('it is damaged, or was altered: its digest does not fit');
  return JSON.parse(content, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$money' in value) return BigInt(String(value.$money));
    return '$map' in value ? new Map(value.$map as [unknown, unknown][]) : value;
  }) as { settings: unknown; state: State };
}

const digestOf = (content: string): string => createHash('sha256').update(content).digest('hex');

/** Throws unless `found` has every part of `wanted`, of the same kind: an older sandbox may have written fewer. */
function checkShape(found: object, wanted: object, where: string): void {
  for (const [name, part] of Object.entries(wanted)) {
    const value: unknown = (found as Record<string, unknown>)[name];
    if (kindOf(value) !== kindOf(part)) throw new Error(`${where}.${name} is not ${kindOf(part)}`);
    if (kindOf(part) === 'an object') checkShape(value as object, part, `${where}.${name}`);
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Map) return 'a map';
  return typeof value === 'object' && value !== null ? 'an object' : `a ${value === null ? 'null' : typeof value}`;
}
