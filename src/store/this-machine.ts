import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Caller } from './caller.ts';

/**
 * Names the machine, and on Linux the namespace of its process ids: a container has its own, and there the same number is
 * another process.
 */
export function thisMachine(): string {
  return `${hostname()} ${processNamespace()}`.trimEnd();
}

/** This process, as the caller of writes. */
export function thisProcess(): Caller {
  return { machine: thisMachine(), pid: process.pid, isGone: ({ machine, pid }) => isGone(machine, pid) };
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
    return !hasEnded(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'; // of another user: it exists
  }
}

/** A process that ended is listed until its parent takes note of it: after `kill -9` of a launcher, for seconds. */
function hasEnded(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const state = stat.slice(stat.lastIndexOf(')') + 2)[0]; // after the name of the program, which may hold any character
    return state === 'Z' || state === 'X';
  } catch {
    return false; // not Linux
  }
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
