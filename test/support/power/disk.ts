import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RecordedStep } from './recording.ts';

type Step = Exclude<RecordedStep, { type: 'ack' }>;

type Change = Extract<Step, { type: 'write' | 'truncate' }>;

interface File {
  /** Contents that an fsync has made certain. */
  certain: Buffer;
  /** Changes since: any of them may or may not have reached the disk. */
  pending: Change[];
}

/**
 * What a power cut may leave: everything synced and, of the rest, nothing (`none`), everything (`all`), any half of the
 * writes (`some`), or any half of their sectors (`torn`).
 */
export const CUT_MODES = ['none', 'all', 'some', 'torn'] as const;
export type CutMode = (typeof CUT_MODES)[number];

const SECTOR_BYTES = 512;

/** A disk that keeps only what was fsynced: contents by fsync of the file, names by fsync of its folder. */
export class Disk {
  readonly #certainNames = new Map<string, File>();
  readonly #names = new Map<string, File>();
  readonly #folder: string;
  /** By thread: what had been written when its sync began. */
  readonly #syncing = new Map<string, readonly Change[]>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  play(step: Step): void {
    if (step.type === 'syncing') this.#syncing.set(step.thread, [...(this.#names.get(step.path)?.pending ?? [])]);
    else if (step.type === 'sync') this.#sync(step.path, step.thread);
    else if (step.type === 'unlink') this.#names.delete(step.path);
    else {
      const file = this.#names.get(step.path) ?? { certain: Buffer.alloc(0), pending: [] };
      this.#names.set(step.path, file);
      if (step.type !== 'create') file.pending.push(step);
    }
  }

  #sync(path: string, thread: string): void {
    const begunWith = this.#syncing.get(thread);
    this.#syncing.delete(thread);
    if (path === this.#folder) {
      this.#certainNames.clear();
      for (const [name, file] of this.#names) this.#certainNames.set(name, file);
      return;
    }
    const file = this.#names.get(path);
    if (file === undefined) return;
    const certain =
      begunWith === undefined ? file.pending : file.pending.filter((change) => begunWith.includes(change));
    file.certain = withChanges(file.certain, certain);
    file.pending = file.pending.filter((change) => !certain.includes(change));
  }

  /** Writes the files that a power cut now would leave into `folder`. */
  cut(folder: string, mode: CutMode, random: () => number): void {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const name of new Set([...this.#certainNames.keys(), ...this.#names.keys()])) {
      const known = mode === 'none' || (mode !== 'all' && random() < 0.5) ? this.#certainNames : this.#names;
      const file = known.get(name);
      if (file !== undefined) writeFileSync(join(folder, basename(name)), surviving(file, mode, random));
    }
  }
}

function surviving({ certain, pending }: File, mode: CutMode, random: () => number): Buffer {
  const pieces = mode === 'torn' ? pending.flatMap(sectors) : pending;
  const lucky = pieces.filter(() => mode === 'all' || (mode !== 'none' && random() < 0.5));
  return withChanges(certain, lucky);
}

/** A new content; the old one stays as it was. */
function withChanges(content: Buffer, changes: readonly Change[]): Buffer {
  let size = content.length;
  let room = size;
  for (const change of changes) {
    size = change.type === 'truncate' ? change.size : Math.max(size, change.offset + change.bytes.length);
    room = Math.max(room, size);
  }
  const next = Buffer.alloc(room);
  content.copy(next);
  for (const change of changes) {
    if (change.type === 'write') change.bytes.copy(next, change.offset);
    else next.fill(0, change.size);
  }
  return next.subarray(0, size);
}

/** A write as the sectors of the disk that it touches. */
function sectors(change: Change): Change[] {
  if (change.type === 'truncate') return [change];
  const parts: Change[] = [];
  for (let from = 0; from < change.bytes.length; ) {
    const offset = change.offset + from;
    const to = Math.min(change.bytes.length, from + SECTOR_BYTES - (offset % SECTOR_BYTES));
    parts.push({ ...change, offset, bytes: change.bytes.subarray(from, to) });
    from = to;
  }
  return parts;
}
