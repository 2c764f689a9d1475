import { localTime } from './local-time.ts';

/** `2026-11-20 22:52 Africa/Lagos`: whole for a reader in another zone, and on another day. */
export function zonedTime(ms: number, zone: string): string {
  return `${localTime(zone)(ms).slice(0, -':00'.length)} ${zone}`;
}
