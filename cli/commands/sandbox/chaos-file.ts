import { readFileSync } from 'node:fs';
import { TallyhookError } from '../../../src/domain/error.ts';
import { type ChaosFile, readChaosFile } from '../../../src/sandbox/chaos/file.ts';

/** The chaos file at `path`; what is wrong with it is listed whole, as wrong configuration. */
export function chaosFileAt(path: string): ChaosFile {
  try {
    return readChaosFile(readFileSync(path, 'utf8'));
  } catch (error) {
    const hint = 'docs/sandbox.md describes every rule and setting.';
    throw new TallyhookError(`${path}: ${(error as Error).message}`, { kind: 'configuration', hint, cause: error });
  }
}
