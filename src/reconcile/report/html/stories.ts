import type { Environment } from '../../../domain/environment.ts';
import { RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import type { ReportedException } from '../model.ts';
import { exceptionAnchor } from './anchors.ts';
import { type LineArchive, linesNaming, statementFiles } from './line-evidence.ts';
import { type Known, NO_RECORDS, type OfRecords, ofRecords, type RecordArchive } from './record-evidence.ts';
import { silent, TELLERS, type Told } from './told.ts';

/** What is known behind a reference, or behind a row of a statement that has none. */
export interface Story {
  /** Its id on the page. */
  readonly anchor: string;
  readonly environment: Environment;
  /** Null: the row names nothing. */
  readonly reference: string | null;
  readonly told: readonly Told[];
  /** The exceptions that lead here. */
  readonly exceptions: readonly ReportedException[];
}

/** What a page needs beside its report: the evidence behind some exceptions. */
export interface Evidence {
  /** A story for each reference, in the order of the exceptions. */
  readonly stories: (exceptions: readonly ReportedException[]) => AsyncIterable<Story>;
  /** `row 17 of october.csv`; null: the statement was removed. */
  readonly place: (line: { readonly statement: number; readonly row: number }) => Promise<string | null>;
}

/** What the evidence is read from. */
export type EvidenceArchive = RecordArchive & LineArchive;

/** Reads the evidence as it was known at `asAtMs`: what came later is left out, so that the page of a period stays as it is. */
export function evidenceOf(archive: EvidenceArchive, known: Known): Evidence {
  const files = statementFiles(archive);
  return {
    async place({ statement, row }) {
      const file = await files(statement);
      return file === null ? null : `row ${row} of ${file}`;
    },
    async *stories(exceptions) {
      const subjects = [...Map.groupBy(exceptions, exceptionAnchor)].flatMap(([anchor, of]) =>
        anchor === null ? [] : [{ anchor, of }],
      );
      const records = new Map<string, OfRecords>();
      for (const { anchor, of } of subjects) {
        const { environment, reference } = of[0] as ReportedException;
        const subject = { environment, reference: reference ?? '', kinds: kindsOf(of) };
        if (reference !== null) records.set(anchor, await ofRecords(archive, subject, known));
      }
      const names = new Set([...records.values()].flatMap((one) => one.names));
      const lines = await linesNaming(archive, [...names], known.asAtMs);
      for (const { anchor, of } of subjects) {
        const { environment, reference } = of[0] as ReportedException;
        const record = records.get(anchor) ?? NO_RECORDS;
        const byLines = await lines.told({ environment, names: record.names, exceptions: of, files });
        const told = reference === null ? byLines : whole([...byLines, ...record.told]);
        yield { anchor, environment, reference, told, exceptions: of };
      }
    },
  };
}

/** Of a batch, a top-up or a row of theirs it is not known which record may have the reference. */
function kindsOf(exceptions: readonly ReportedException[]): readonly RecordKind[] {
  const kinds = new Set(exceptions.map(({ kind }) => kind));
  const known = RECORD_KINDS.filter((kind) => kinds.has(kind));
  return known.length === kinds.size ? known : RECORD_KINDS;
}

/** What each witness told, and which told nothing. */
function whole(told: readonly Told[]): readonly Told[] {
  return TELLERS.flatMap((teller) => {
    const own = told.filter(({ by }) => by === teller);
    return own.length === 0 ? [silent(teller)] : own;
  });
}
