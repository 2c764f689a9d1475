import { StoreError } from '../../error.ts';
import type { Database } from '../engine/database.ts';
import { RowsHash, subjectReader } from '../engine/subject-digest.ts';
import { SUBJECTS } from './audit-subjects.ts';

export interface SubjectName {
  readonly prefix: string;
  readonly key: string;
}

/** `statement:3` in its two parts: the key may have colons of its own. */
export function subjectName(subject: string): SubjectName {
  const colon = subject.indexOf(':');
  return { prefix: subject.slice(0, Math.max(colon, 0)), key: subject.slice(colon + 1) };
}

/** Digests of the subjects of audit-subjects. Their statements are prepared when the first one of a kind is asked for. */
export function subjectDigests(database: Database) {
  const readers = new Map<string, ReturnType<typeof subjectReader>>();

  function readerOf(prefix: string): ReturnType<typeof subjectReader> | undefined {
    const known = readers.get(prefix);
    const subject = SUBJECTS.find((one) => one.prefix === prefix);
    if (known !== undefined || subject === undefined) return known;
    const reader = subjectReader(database, subject.parts);
    readers.set(prefix, reader);
    return reader;
  }

  return {
    /** Prepares all of them: none can be while rows are being read. */
    prepare(): void {
      for (const { prefix } of SUBJECTS) readerOf(prefix);
    },

    /** Null: it has no rows. */
    digestOf(subject: string): string | null {
      const { prefix, key } = subjectName(subject);
      const reader = readerOf(prefix);
      if (reader === undefined) throw new StoreError('other', `The audit chain knows no subject ${subject}.`);
      const hash = new RowsHash();
      reader(hash, key);
      return hash.digest();
    },
  };
}
