import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../folder.ts';
import { seededRandom } from '../random.ts';
import { Shop } from '../shop/shop.ts';
import type { FilePlan } from './files.ts';

/** A shop with a copy of the database of another, as it is now. */
export function copyOf(shop: Shop): Shop {
  shop.rest();
  const folder = temporaryFolder({ inMemory: true });
  copyFileSync(shop.database, join(folder, 'tallyhook.db'));
  return Shop.at(folder);
}

/** The same files with their lines in another order. */
export function shuffled(files: readonly FilePlan[], seed: number): FilePlan[] {
  const random = seededRandom(seed);
  return files.map((file) => {
    const keyed = file.lines.map((line) => [random(), line] as const);
    return { ...file, lines: keyed.sort(([one], [other]) => one - other).map(([, line]) => line) };
  });
}
