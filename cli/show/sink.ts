import { TallyhookError } from '../../src/domain/error.ts';
import { type GrowingFile, growingFile, writeWholeFile } from '../../src/reconcile/report/whole-file.ts';
import { note, writeText } from './output.ts';

/** Where a report goes: stdout, or a file. */
export interface Sink {
  /** True for stdout, where a terminal may show colours and has a width. */
  readonly isStdout: boolean;
  readonly write: (text: string) => Promise<void>;
}

/** Characters gathered before a write to a file. */
const AT_ONCE = 65_536;

/**
 * Runs `work` with stdout, or with a file that takes the place of `path` once it is whole (`growingFile`).
 *
 * @throws TallyhookError
 */
export async function withSink(path: string | undefined, work: (sink: Sink) => Promise<void>): Promise<void> {
  if (path === undefined) return work({ isStdout: true, write: writeText });
  let file: GrowingFile | undefined;
  try {
    const opened = await growingFile(path);
    file = opened;
    let gathered = '';
    const flush = async () => {
      await opened.write(gathered);
      gathered = '';
    };
    await work({
      isStdout: false,
      async write(text) {
        gathered += text;
        if (gathered.length >= AT_ONCE) await flush();
      },
    });
    await flush();
    await opened.finish();
  } catch (error) {
    await file?.abandon();
    throw notWritable(path, error);
  }
  note(`Written: ${path}`);
}

/** Writes exact bytes to a file, as `withSink` does with text. */
export async function writeFileOf(path: string, bytes: Uint8Array): Promise<void> {
  await writeWholeFile(path, bytes).catch((error) => {
    throw notWritable(path, error);
  });
  note(`Written: ${path}`);
}

function notWritable(path: string, cause: unknown): unknown {
  const { code } = cause as NodeJS.ErrnoException;
  if (cause instanceof TallyhookError || code === undefined) return cause;
  return new TallyhookError(`${path} cannot be written (${code}).`, {
    kind: 'failed',
    hint: 'Give --out a file in a folder that this user can write to, on a disk with space.',
    cause,
  });
}
