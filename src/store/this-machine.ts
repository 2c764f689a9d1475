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
  return machine === thisMachine() && !exists(pid);
}

/** True when this machine has a process `pid`; false on another machine, where that cannot be known. */
export function isThere(machine: string, pid: number): boolean {
  return machine === thisMachine() && exists(pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0); // sends nothing: it asks whether the process exists
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'; // of another user: it exists
  }
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
