import { RECORD_KINDS } from '../../../../domain/records/lifecycle.ts';
import type { NeighbourOrder, ReconciliationArchive } from '../../../reconciliation.ts';
import { OURS_ONCE } from '../../../scratch/schema.ts';
import type { Scratch } from '../../../scratch/scratch.ts';
import type { Database } from '../../engine/database.ts';
import { attached, defineDayOf } from './attached.ts';
import { linesInsert, recordInsert } from './fill-sql.ts';

/** Most names that are followed: a transaction with its refunds has a few dozen. A word such as "none" in a column has a million. */
const MOST_NAMES = 500;
/** Most lines read of one name, for the same reason. */
const MOST_LINES = 1_000;
/** Everything that is there now. */
const NOW = Number.MAX_SAFE_INTEGER;

type Names = {
  readonly reference: string | null;
  readonly session: string | null;
  readonly transaction: string | null;
};

/** Copies what is tied to one reference by shared names: every step is a look-up by key. */
export function neighbourFill(database: Database): Pick<ReconciliationArchive, 'fillNeighbours'> {
  return { fillNeighbours: attached(database, fillNeighbours) };
}

/** Returns false when there are more than were followed. */
async function fillNeighbours({ database }: Scratch, order: NeighbourOrder): Promise<boolean> {
  const { reference, environment = null, decided } = order;
  defineDayOf(database, order.dayOf);
  database.exec(OURS_ONCE);
  database.exec('CREATE TEMP TABLE wanted (id INTEGER PRIMARY KEY, name TEXT NOT NULL)');
  const want = database.prepare<[string]>('INSERT INTO wanted (name) VALUES (?)');
  const records = RECORD_KINDS.map((kind) => database.prepare(recordInsert(kind, { window: false })));
  const lineInsert = database.prepare(
    linesInsert('l.id = @line AND (@environment IS NULL OR l.environment = @environment)'),
  );
  const { naming, ofGroup, namesOfLine, namesOfRows, known } = reads(database);

  const wanted = new Set<string>([reference]);
  const follow = (names: Names) => {
    for (const name of [names.reference, names.session, names.transaction]) if (name !== null) wanted.add(name);
  };
  let isWhole = true;
  const addLines = (ids: readonly number[], follows: boolean) => {
    if (ids.length >= MOST_LINES) isWhole = false;
    for (const line of ids) {
      const { changes } = lineInsert.run({ line, environment, asAtMs: NOW });
      const names = changes === 0 || !follows ? undefined : namesOfLine.get(line);
      if (names === undefined) continue;
      follow(names);
      for (const said of decided) if (said.line === line) wanted.add(said.reference);
    }
  };
  let rows = 0;
  // The set grows while it is walked.
  let number = 0;
  for (const name of wanted) {
    if (++number > MOST_NAMES) return false;
    want.run(name);
    for (const insert of records)
      insert.run({ first: number, last: number, environment, asAtMs: NOW, closedAtMs: null });
    for (const { id, ...names } of namesOfRows.all(rows)) {
      follow(names);
      rows = id;
    }
    addLines(naming.all({ name }), true);
    addLines(
      decided.flatMap((said) => (said.reference === name ? [said.line] : [])),
      true,
    );
  }
  addLines(ofGroup.all(reference), false);
  known.run();
  return isWhole;
}

function reads(database: Database) {
  const named = (column: string) =>
    `SELECT id FROM (SELECT id FROM store.imported_lines WHERE ${column} = @name ORDER BY id LIMIT ${MOST_LINES})`;
  return {
    naming: database
      .prepare<{ name: string }, number>(
        `${named('reference')} UNION ${named('session_id')} UNION ${named('transaction_reference')} ORDER BY id LIMIT ${MOST_LINES}`,
      )
      .pluck(),
    /** The lines of a settlement batch, of which the names of its payments are not followed. */
    ofGroup: database
      .prepare<[string], number>(
        `SELECT id FROM store.imported_lines WHERE group_name = ? ORDER BY id LIMIT ${MOST_LINES}`,
      )
      .pluck(),
    namesOfLine: database.prepare<[number], Names>(
      'SELECT reference, session_id AS session, transaction_reference AS "transaction" FROM theirs WHERE id = ?',
    ),
    namesOfRows: database.prepare<[number], Names & { readonly id: number }>(`
      SELECT id, reference, session_id AS session, transaction_reference AS "transaction" FROM ours WHERE id > ? ORDER BY id`),
    known: database.prepare(`
      INSERT OR IGNORE INTO known (id, line, leg, kind, reference, pass, state)
      SELECT m.id, m.line_id, m.leg, m.kind, m.reference, m.pass, m.state FROM theirs t JOIN store.matches m ON m.line_id = t.id`),
  };
}
