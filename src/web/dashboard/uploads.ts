import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printableLine } from '../../domain/text/printable.ts';
import type { Page } from './page.ts';
import type { Answer, Context, UploadedFile } from './route.ts';

/*
 * Uploads that outlive one request: a statement is looked at, dry run and imported from one upload, also without a script. Each lies in a
 * folder of its own, whose name begins with the number of the login that sent it, so that no other login finds it.
 */

/** After so long an upload is swept away, 1 h. */
const KEPT_MS = 3_600_000;
/** Uploads that one login may keep; the oldest one gives way. */
const MOST_KEPT = 5;
/** Bytes of a name that every file system takes. */
const NAME_BYTES = 200;

const ID = /^[0-9a-f]{32}$/;
const KEPT = /^kept-(\d+)-[0-9a-f]{32}$/;

/** `tallyhook-uploads-PROCESS-…` */
const FOLDER = /^tallyhook-uploads-(\d+)-/;
/** Folders of the dashboards that this thread has open. */
const open = new Set<string>();

/** A new folder for the uploads of one dashboard, of mode 0700. Deletes those of processes that ended without closing theirs. */
export async function openUploads(base = tmpdir()): Promise<{ readonly folder: string; close(): Promise<void> }> {
  for (const name of await readdir(base)) {
    const pid = FOLDER.exec(name)?.[1];
    const left = join(base, name);
    if (pid !== undefined && isGone(Number(pid), left)) await remove(left).catch(() => {}); // of another user
  }
  const folder = await mkdtemp(join(base, `tallyhook-uploads-${process.pid}-`));
  open.add(folder);
  return {
    folder,
    async close() {
      open.delete(folder);
      await remove(folder);
    },
  };
}

/** Of this process: a thread that ended left it, or an earlier process of the same number, as in a container. */
function isGone(pid: number, folder: string): boolean {
  if (pid === process.pid) return !open.has(folder);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Keeps an uploaded file for the next requests of the same login; returns its id. */
export async function keepUpload(
  folder: string,
  login: number,
  { path, name }: UploadedFile,
  nowMs: number,
): Promise<string> {
  const all = await uploadsIn(folder);
  for (const { place, atMs } of all) if (atMs < nowMs - KEPT_MS) await remove(place);
  const own = all.filter((one) => one.login === login).sort((one, other) => one.atMs - other.atMs);
  for (const { place } of own.slice(0, Math.max(0, own.length - MOST_KEPT + 1))) await remove(place);
  const id = randomBytes(16).toString('hex');
  const place = placeOf(folder, login, id);
  await mkdir(place, { mode: 0o700 });
  await rename(path, join(place, fileName(name)));
  return id;
}

/** The upload of this id that the same login kept; null: there is none, or no more. */
export async function keptUpload(folder: string, login: number, id: string): Promise<UploadedFile | null> {
  if (!ID.test(id)) return null;
  const place = placeOf(folder, login, id);
  try {
    const [name] = await readdir(place);
    if (name === undefined) return null;
    const { size } = await stat(join(place, name));
    return { path: join(place, name), name, bytes: size };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Answers with the upload that the address names; `gone`: what is said where it is not there any more. */
export function withUpload(work: (context: Context, file: UploadedFile) => Promise<Answer>, gone: () => Promise<Page>) {
  return async (context: Context): Promise<Answer> => {
    const { uploads, visitor, params } = context;
    const file = await keptUpload(uploads, visitor.login, params.upload ?? '');
    return file === null ? { ...(await gone()), status: 410 } : work(context, file);
  };
}

/** Deletes a kept upload; one that is gone already is no error. */
export async function dropUpload(folder: string, login: number, id: string): Promise<void> {
  if (ID.test(id)) await remove(placeOf(folder, login, id));
}

async function uploadsIn(folder: string) {
  const found: { readonly login: number; readonly place: string; readonly atMs: number }[] = [];
  for (const name of await readdir(folder)) {
    const login = KEPT.exec(name)?.[1];
    const place = join(folder, name);
    const known = login === undefined ? null : await stat(place).catch(() => null); // swept meanwhile
    if (login !== undefined && known !== null) found.push({ login: Number(login), place, atMs: known.ctimeMs });
  }
  return found;
}

function remove(place: string): Promise<void> {
  return rm(place, { recursive: true, force: true });
}

function placeOf(folder: string, login: number, id: string): string {
  return join(folder, `kept-${login}-${id}`);
}

/** The name of a stranger's file as the name of a file here: one step of a path, on one line, never hidden. */
function fileName(name: string): string {
  const line = printableLine(name.normalize('NFC')).split(/[\\/]/).at(-1)?.trim().replace(/^\.+/, '') ?? '';
  const ending = /\.\w{1,8}$/.exec(line)?.[0] ?? '';
  let stem = line.slice(0, line.length - ending.length);
  while (Buffer.byteLength(stem) > NAME_BYTES - ending.length) stem = [...stem].slice(0, -1).join('');
  return `${stem || 'statement'}${ending}`;
}
