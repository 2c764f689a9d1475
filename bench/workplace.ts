import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInMemory } from './machine.ts';

const MEMORY_FOLDER = '/dev/shm';
/** On most systems on a real disk, while the temporary folder is often in memory. */
const DISK_FOLDER = '/var/tmp';

/**
 * The temporary folders and child processes of one run. `close` removes all of them, and a signal closes it first, so
 * that Ctrl-C leaves nothing behind.
 */
export class Workplace {
  /** Holds the databases, on a real disk. */
  readonly folder: string;
  readonly #folders: string[];
  readonly #children = new Set<ChildProcess>();
  #made = 0;

  constructor(parent?: string) {
    this.folder = mkdtempSync(join(parent ?? (existsSync(DISK_FOLDER) ? DISK_FOLDER : tmpdir()), 'tallyhook-bench-'));
    this.#folders = [this.folder];
    process.once('SIGINT', () => this.#leave(130));
    process.once('SIGTERM', () => this.#leave(143));
    process.once('exit', () => this.close());
  }

  /** A new path for a file that must not disturb the measured disk; in memory where there is room. */
  scratchFile(bytes: number): string {
    const free = existsSync(MEMORY_FOLDER) ? statfsSync(MEMORY_FOLDER) : null;
    const inMemory = free !== null && isInMemory(MEMORY_FOLDER) && free.bavail * free.bsize > 2 * bytes;
    if (inMemory && this.#folders.length === 1)
      this.#folders.push(mkdtempSync(join(MEMORY_FOLDER, 'tallyhook-bench-')));
    return join((inMemory ? this.#folders[1] : undefined) ?? this.folder, `file-${++this.#made}`);
  }

  /** A path below `folder`. */
  path(name: string): string {
    return join(this.folder, name);
  }

  /** Removes a database that is not needed any more, with its log and lock. */
  remove(name: string): void {
    for (const ending of ['', '-wal', '-shm', '.lock']) rmSync(`${this.path(name)}${ending}`, { force: true });
  }

  /** Starts a child that ends with this run, in a process group of its own, so that its own children end too. */
  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    const child = spawn(command, args, { ...options, detached: true });
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  close(): void {
    for (const { pid } of this.#children) if (pid !== undefined) killGroup(pid);
    this.#children.clear();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #leave(code: number): void {
    this.close();
    process.exit(code);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
