import { settingsSchema } from './settings.ts';
import { emptyState, type State } from './state.ts';
import type { World } from './world.ts';

/** A sandbox as text: state, jobs, time and settings. Maps and exact money are tagged, since JSON has neither. */
const FORMAT = 'tallyhook sandbox 1';

export function takeSnapshot(world: World): string {
  const state: State = { ...world.state, nowMs: world.clock.now(), jobs: [...world.clock.jobs()] };
  return JSON.stringify({ format: FORMAT, settings: world.settings, state }, (_key, value: unknown) => {
    if (typeof value === 'bigint') return { $money: value.toString() };
    return value instanceof Map ? { $map: [...value] } : value;
  });
}

/** Puts a snapshot in place of everything. Throws when the text is not one; then nothing has changed. */
export function restoreSnapshot(world: World, text: string, catchUp = false): void {
  const parsed = JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$money' in value) return BigInt(String(value.$money));
    return '$map' in value ? new Map(value.$map as [unknown, unknown][]) : value;
  }) as { format?: string; settings?: unknown; state?: State } | null;
  if (parsed?.format !== FORMAT || !parsed.state)
    throw new Error(`not a snapshot of this sandbox ("${FORMAT}" is missing)`);
  checkShape(parsed.state, emptyState(0), 'state');
  world.settings = settingsSchema.parse(parsed.settings);
  world.state = parsed.state;
  world.webhooks.forget();
  world.clock.replace(parsed.state.nowMs, parsed.state.jobs, catchUp);
  world.webhooks.resume();
  world.changes++;
}

/** Throws unless every part of `wanted` is there and of the same kind: a map, a list, a number or an object. */
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
