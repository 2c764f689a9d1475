import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { LockHolder } from '../../inbox.ts';

/** The byte of the write-ahead log's index that a writer locks (WAL_WRITE_LOCK of the engine). */
const WRITE_LOCK = 120n;

/** The process that holds the write lock of a database now; null: none does, or the platform does not say, as outside Linux and beyond a container. */
export function lockHolderOf(database: string): LockHolder | null {
  try {
    const { dev, ino } = statSync(`${database}-shm`, { bigint: true });
    const pid = holderIn(readFileSync('/proc/locks', 'utf8'), { dev, ino });
    return pid === null ? null : { pid, program: programOf(pid) };
  } catch {
    return null;
  }
}

/** `locks`: the text of /proc/locks, such as `1: POSIX  ADVISORY  WRITE 4711 fe:00:131 120 120`. */
export function holderIn(locks: string, { dev, ino }: { readonly dev: bigint; readonly ino: bigint }): number | null {
  const disk = [(dev >> 8n) & 0xfffn, (dev & 0xffn) | ((dev >> 12n) & 0xfff00n)]
    .map((part) => part.toString(16).padStart(2, '0'))
    .join(':');
  for (const line of locks.split('\n')) {
    const [, , , access, pid, file, first, last] = line.trim().split(/\s+/);
    if (access !== 'WRITE' || file !== `${disk}:${ino}` || first === undefined || last === undefined) continue;
    const holds = BigInt(first) <= WRITE_LOCK && (last === 'EOF' || BigInt(last) >= WRITE_LOCK);
    if (holds && Number(pid) > 0) return Number(pid);
  }
  return null;
}

/** As it was started: the name that the system keeps (`comm`) is that of a thread, which Node calls `MainThread`. */
function programOf(pid: number): string | null {
  try {
    const [program = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return basename(program) || null;
  } catch {
    return null;
  }
}
