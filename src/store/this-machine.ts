import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Names the machine, and on Linux the namespace of its process ids: a container has its own, and there the same number is
 * another process.
 */
export function thisMachine(): string {
  return `${hostname()} ${processNamespace()}`.trimEnd();
}

/** True when `pid` is certainly no process any more; false on another machine, and for a number that is in use again. */
export function isGone(machine: string, pid: number): boolean {
  if (machine !== thisMachine()) return false;
  try {
    process.kill(pid, 0); // sends nothing: it asks whether the process exists
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
