import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../../error.ts';

/** File systems that can lose what the write-ahead log has acknowledged, each with the reason. */
const UNFIT: readonly (readonly [type: RegExp, reason: string])[] = [
  [/^(overlay|aufs)$/, 'the own layer of a container, which is deleted with the container'],
  [
    /^(nfs\d?|cifs|smb3?|smbfs|afs|ceph|glusterfs|lustre|fuse\.(sshfs|s3fs|rclone|gcsfuse|glusterfs|ceph))$/,
    'a network file system, whose locks and syncs the write-ahead log cannot rely on',
  ],
  [
    /^(9p|virtiofs|vboxsf|prl_fs|fakeowner|fuse\.(vmhgfs-fuse|grpcfuse|osxfs))$/,
    'a folder of the machine outside, whose locks and syncs the write-ahead log cannot rely on',
  ],
];

/** The type of the file system that holds `path`, which has no symbolic links; null where the platform does not say. */
export function fileSystemOf(path: string): string | null {
  return existsSync('/proc/mounts') ? typeOf(path, readFileSync('/proc/mounts', 'utf8')) : null;
}

/** `mounts`: the text of /proc/mounts. Of two mounts on one point the later one is seen. */
export function typeOf(path: string, mounts: string): string | null {
  let nearest: { point: string; type: string } | null = null;
  for (const line of mounts.split('\n')) {
    const [, escaped = '', type] = line.split(' ');
    if (type === undefined) continue;
    const point = escaped.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
    const holds = path === point || path.startsWith(point.endsWith('/') ? point : `${point}/`);
    if (holds && point.length >= (nearest?.point.length ?? 0)) nearest = { point, type };
  }
  return nearest?.type ?? null;
}

/** Why a file system of this type is not fit for a database; null: nothing is known against it. */
export function unfitness(type: string): string | null {
  return UNFIT.find(([types]) => types.test(type))?.[1] ?? null;
}

/** @throws StoreError when `file` of the database or of its log, a path without symbolic links, lies where an acknowledged delivery can be lost */
export function expectFitFileSystem(file: string): void {
  const type = fileSystemOf(dirname(file));
  const reason = type === null ? null : unfitness(type);
  if (reason === null) return;
  throw new StoreError(
    'unfit_file_system',
    `${file} lies on ${type}, ${reason}: an acknowledged delivery can be lost.`,
    {
      hint: 'Put it on a local disk, or on a volume of the container. To start all the same: tallyhook serve --unsafe-file-system',
    },
  );
}
