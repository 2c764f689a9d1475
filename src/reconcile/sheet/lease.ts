import { setTimeout as delay } from 'node:timers/promises';
import type { SheetImports } from '../../store/sheet-imports.ts';

/** How often a waiting import looks whether the other one has ended. */
const LOOK_MS = 100;

/**
 * Runs `work` while this import alone holds the spreadsheet; returns null when the file was applied before, also by an import
 * that it waited for. It waits while the other one writes; the lease of one that does not write any more ends by itself.
 */
export async function withSheetLease<Result>(
  digest: string,
  exceptions: SheetImports,
  { work, onWait }: { readonly work: (lease: number) => Promise<Result>; readonly onWait: () => void },
): Promise<Result | null> {
  let begun = await exceptions.beginSheet({ digest });
  if (begun.outcome === 'busy') onWait();
  while (begun.outcome === 'busy') {
    await delay(LOOK_MS);
    begun = await exceptions.beginSheet({ digest });
  }
  if (begun.outcome === 'known') return null;
  const { lease } = begun;
  try {
    return await work(lease);
  } finally {
    await exceptions.endSheet({ lease });
  }
}
