import { readerOf } from './reader.ts';

/** The refused deliveries that a receiver has written to its database: a moment after it answered them. */
export function refusalsIn(database: string): number {
  const reader = readerOf(database);
  try {
    return reader.prepare<[], number>('SELECT coalesce(sum(count), 0) FROM refusals').pluck().get() ?? 0;
  } finally {
    reader.close();
  }
}
