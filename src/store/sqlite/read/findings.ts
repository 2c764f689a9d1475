import type { Environment } from '../../../domain/environment.ts';
import type { RecordKind } from '../../../domain/records/lifecycle.ts';
import type { Count, FindingFilter, OpenFinding, Page } from '../../records.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import { oneOf, wordsParameter } from '../rows/one-of.ts';
import { countRows, type IdRange, scan } from './scan.ts';

const COLUMNS = `id, kind, record_id AS recordId, environment, reference, code, subject, detail, opened_at AS openedAtMs,
  closed_at AS closedAtMs`;

interface Parameters extends IdRange {
  environment: Environment | null;
  kinds: string | null;
  codes: string | null;
  reference: string | null;
  closed: 0 | 1;
  limit: number;
}

export type FindingReads = ReturnType<typeof findingReads>;

/** Reads findings: open ones, and with `closed` all. */
export function findingReads(database: Database) {
  const matching = `FROM findings
    WHERE id BETWEEN @first AND @last
      AND (@closed = 1 OR closed_at IS NULL)
      AND (@environment IS NULL OR environment = @environment)
      AND ${oneOf('kind', 'kinds')}
      AND ${oneOf('code', 'codes')}
      AND (@reference IS NULL OR reference = @reference)`;
  const prepare = (direction: 'ASC' | 'DESC') =>
    database.prepare<Parameters, OpenFinding>(`SELECT ${COLUMNS} ${matching} ORDER BY id ${direction} LIMIT @limit`);
  const counting = database.prepare<Omit<Parameters, 'limit'>, number>(`SELECT count(*) ${matching}`).pluck();
  const pages = { newest: prepare('DESC'), oldest: prepare('ASC') };
  const openOf = database.prepare<[RecordKind, number], OpenFinding>(
    `SELECT ${COLUMNS} FROM findings WHERE kind = ? AND record_id = ? AND closed_at IS NULL ORDER BY id`,
  );
  const allOf = database.prepare<[RecordKind, number], OpenFinding>(
    `SELECT ${COLUMNS} FROM findings WHERE kind = ? AND record_id = ? ORDER BY id`,
  );
  const ofId = database.prepare<[number], OpenFinding>(`SELECT ${COLUMNS} FROM findings WHERE id = ?`);
  const lastId = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM findings').pluck();
  const last = guarded(database, () => lastId.get() ?? 0);

  return {
    page(filter: FindingFilter, page: Page): Promise<OpenFinding[]> {
      const parameters = parametersOf(filter);
      const read = guarded(database, ({ first, last }: IdRange, limit: number) =>
        pages[page.order].all({ ...parameters, first, last, limit }),
      );
      return scan({ first: 1, last: last() }, page, read);
    },

    count(filter: FindingFilter): Promise<Count> {
      const parameters = parametersOf(filter);
      const count = guarded(database, (range: IdRange) => counting.get({ ...parameters, ...range }) ?? 0);
      return countRows({ first: 1, last: last() }, count);
    },

    /** The caller holds the snapshot. */
    ofId: (id: number): OpenFinding | null => ofId.get(id) ?? null,

    /** Open and closed. The caller holds the snapshot. */
    allOf: (kind: RecordKind, recordId: number): OpenFinding[] => allOf.all(kind, recordId),

    openOf: (kind: RecordKind, recordId: number): OpenFinding[] => openOf.all(kind, recordId),
  };
}

function parametersOf({ closed = false, environment, kinds, codes, reference }: FindingFilter) {
  return {
    environment: environment ?? null,
    kinds: wordsParameter(kinds),
    codes: wordsParameter(codes),
    reference: reference ?? null,
    closed: closed ? (1 as const) : (0 as const),
  };
}
