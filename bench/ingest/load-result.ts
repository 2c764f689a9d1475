import type { RequestFile } from './request-file.ts';

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly file: RequestFile;
}

/** What a load generator measured. Times in milliseconds. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Answers that were no 2xx, and connections that broke. */
  readonly failures: number;
  /** Requests that had been sent before in this load, because the file was too short. */
  readonly repeated: number;
  /** When each further tenth was answered, in seconds since the start; only of a load with a fixed end. */
  readonly tenths: readonly number[];
}

/** A figure that rests on refused deliveries is none. */
export function expectClean(what: string, { failures, requests }: LoadResult): void {
  if (failures > 0) throw new Error(`${what}: ${failures} of ${requests} deliveries were not answered 200`);
  if (requests === 0) throw new Error(`${what}: nothing was answered`);
}
