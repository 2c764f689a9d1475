import { expect, test, vi } from 'vitest';
import { FILES, loseWhileServing, WAYS, type Way } from '../support/lost-file.ts';

vi.setConfig({ testTimeout: 120_000 });

const every = FILES.flatMap((file) => (Object.keys(WAYS) as Way[]).map((way) => [file, way] as const)).filter(
  ([file, way]) => way !== 'cut in half' || !file.endsWith('-wal'),
);

test.each(every)('%s is %s while serving: nothing that was acknowledged is lost', async (file, way) => {
  await expect(loseWhileServing(file, way)).resolves.toBeUndefined();
});
