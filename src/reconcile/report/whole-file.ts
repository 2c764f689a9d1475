import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes a file that takes the place of `path` once it is whole: a program that reads it before that reads the former one. Mode
 * 0600, because a report names customers' payments.
 */
export async function writeWholeFile(path: string, bytes: Uint8Array): Promise<void> {
  const part = `${path}.part`;
  try {
    await rm(part, { force: true });
    const file = await open(part, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => {}); // the first error says more
    throw error;
  }
}
