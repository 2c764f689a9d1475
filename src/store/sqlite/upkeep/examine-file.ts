import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { shortageOf } from '../../../domain/alerts/disk.ts';
import { byteCount } from '../../../domain/text/quantity-text.ts';
import { type Examined, failed, ok, skipped, warning } from '../../examination.ts';
import { diskSpaceOf } from '../engine/disk-space.ts';
import { fileSystemOf, unfitness } from '../engine/file-system.ts';
import { isShared } from '../engine/owner.ts';

const MEBIBYTE = 1024 * 1024;
const WAL_WARN_BYTES = 64 * MEBIBYTE;

/** Examines the file and its disk. */
export function examineFile(path: string): Examined[] {
  return [examineMode(path), examineFileSystem(path), examineFreeSpace(path), examineWriteAhead(path)];
}

function examineMode(path: string): Examined {
  const mode = statSync(path).mode & 0o777;
  const wanted = isShared(dirname(path)) ? 0o660 : 0o600;
  const shown = `${path} has mode ${mode.toString(8).padStart(4, '0')}`;
  if ((mode & 0o077 & ~wanted) === 0) return ok('database mode', shown);
  return warning('database mode', shown, `It holds bodies with personal data: chmod ${wanted.toString(8)} ${path}*`);
}

/** `name`: of the check. */
export function examineFileSystem(path: string, name = 'file system'): Examined {
  const type = fileSystemOf(realpathSync(path));
  if (type === null) return skipped(name, 'unknown on this platform');
  const reason = unfitness(type);
  if (reason === null) return ok(name, type);
  const hint =
    'An acknowledged delivery can be lost. Move the database and its log to a local disk, or to a volume of the container.';
  return failed(name, `${type}: ${reason}`, hint);
}

function examineFreeSpace(path: string): Examined {
  const disk = diskSpaceOf(path);
  const { freeBytes, totalBytes, freeFiles } = disk;
  const seen = `${byteCount(freeBytes)} free of ${byteCount(totalBytes)}`;
  const folder = dirname(path);
  const shortage = shortageOf(disk);
  if (shortage === null) return ok('free space', seen);
  if (shortage === 'full')
    return failed(
      'free space',
      seen,
      `Deliveries are answered 503, or soon will be. Free some space on the disk of ${folder}.`,
    );
  if (shortage === 'files')
    return failed(
      'free space',
      `${seen}, and room for ${freeFiles} more files (inodes)`,
      `Nearly no file can be made, so the next start, backup or report fails. Delete files on the disk of ${folder}.`,
    );
  return warning('free space', seen, 'Deliveries get 503 when the disk is full: free some space.');
}

function examineWriteAhead(path: string): Examined {
  const bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes <= WAL_WARN_BYTES) return ok('write-ahead log', byteCount(bytes));
  return warning(
    'write-ahead log',
    byteCount(bytes),
    'A long read keeps it from being emptied: look for a stuck export.',
  );
}
