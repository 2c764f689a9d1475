import { localTime } from '../../../time/local-time.ts';
import type { ShownReport } from '../model.ts';
import { htmlPage } from './page.ts';
import { type EvidenceArchive, evidenceOf } from './stories.ts';

/** The page of a report as the bytes of one file: some 2 MB for a thousand exceptions with their stories. */
export async function pageBytes(archive: EvidenceArchive, shown: ShownReport): Promise<Buffer> {
  const { asAt, zone } = shown.report;
  const evidence = evidenceOf(archive, { asAtMs: Date.parse(asAt), time: localTime(zone) });
  const pieces: Buffer[] = [];
  for await (const piece of htmlPage(shown, evidence)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
