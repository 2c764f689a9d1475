import type { BookOrder } from '../../pruning.ts';
import { type Database, writing } from '../engine/database.ts';
import { oldTexts, type TextDays, type TextExtent, type TextLine } from '../read/old-texts.ts';
import type { AuditWrites } from './audit.ts';
import { type BookPass, type BookPruner, type BookTurn, bookSubject } from './book-pass.ts';
import { statementSealing } from './statement-sealing.ts';

/** Lines that one turn reads: some milliseconds. */
const LINES_READ = 2_000;
/** Lines that one transaction empties. */
const LINES_ERASED = 500;

/**
 * Erases what lines say of people. The digest of a statement covers all its lines, and a million of them take seconds to read: so an
 * entry first says, in one short transaction, that the texts of these days count for nothing, with digests that were taken before
 * it; from then on no digest contains them, and they are deleted piece by piece.
 */
export function textPruner(database: Database, audit: AuditWrites): BookPruner {
  const old = oldTexts(database);
  const before = statementSealing(database);
  const after = statementSealing(database, { supposing: true });
  const mark = database
    .prepare<TextExtent & { nowMs: number }, number>(`
      INSERT INTO erased_texts (account_id, from_day, to_day, last_line, last_statement, begun_at)
      VALUES (@account, @from, @to, @lastLine, @lastStatement, @nowMs) RETURNING id`)
    .pluck();
  const empty = database.prepare<[number]>(
    'UPDATE imported_lines SET text = NULL, counterparty = NULL WHERE id = ? AND (text IS NOT NULL OR counterparty IS NOT NULL)',
  );
  const clear = database.prepare<{ id: number; nowMs: number }>(
    'UPDATE erased_texts SET cleared_at = @nowMs WHERE id = @id AND cleared_at IS NULL',
  );

  /** False: something happened since the digests were taken. */
  const begin = writing(database, (one: TextExtent, statements: readonly number[], turn: BookTurn): boolean => {
    if (!old.isSame(turn.beforeDay, one)) return false;
    const shown = statements.filter(old.shows);
    if (!shown.every((statement) => before.isRead(statement) && after.isRead(statement))) return false;
    const touched = shown.map((statement) => ({
      subject: `statement:${statement}`,
      before: before.digest(statement),
      after: after.digest(statement),
    }));
    const subject = `texts:${mark.get({ ...one, nowMs: turn.nowMs })}`;
    audit.append({
      ...{ who: turn.by, act: 'prune', subject: bookSubject(turn), nowMs: turn.nowMs },
      touched: [...touched, { subject, before: null, after: audit.digestOf(subject) }],
    });
    return true;
  });

  const erased = writing(database, (lines: readonly TextLine[]): number =>
    lines.reduce((sum, { id, says }) => sum + (says === 1 ? empty.run(id).changes : 0), 0),
  );

  const end = writing(database, (id: number, { by, nowMs }: BookTurn): void => {
    const subject = `texts:${id}`;
    const digest = audit.digestOf(subject);
    if (clear.run({ id, nowMs }).changes === 0) return; // another process was faster
    audit.append({ who: by, act: 'prune', subject, before: digest, after: audit.digestOf(subject), nowMs });
  });

  /** Statements with a line of these days that says something. */
  function* statementsOf(one: TextExtent): Generator<number, readonly number[], void> {
    const statements = new Set<number>();
    for (const lines of old.lines(one, LINES_READ)) {
      const saying = lines.filter(({ says }) => says === 1);
      for (const { statement } of saying) statements.add(statement);
      for (const statement of old.overlapping(saying.map(({ id }) => id))) statements.add(statement);
      yield 0;
    }
    return [...statements].filter(old.shows);
  }

  /** Tried twice: while it reads, a statement may come or go. Otherwise the next prune does it. */
  function* begun(days: TextDays, turn: BookTurn): BookPass {
    for (const _ of ['first', 'second']) {
      const one = old.extent(days);
      if (one === null) return;
      const statements = yield* statementsOf(one);
      for (const statement of statements) {
        before.forget(statement);
        after.forget(statement);
        while (!before.advance(statement)) yield 0;
        while (!after.advance(statement, one)) yield 0;
        yield 0;
      }
      if (begin(one, statements, turn)) return;
    }
  }

  return {
    *survey({ beforeDay }: BookOrder): BookPass {
      const days = old.days(beforeDay).flatMap((one) => old.extent(one) ?? []);
      for (const one of [...old.begun(), ...days]) {
        for (const lines of old.lines(one, LINES_READ)) yield lines.filter(({ says }) => says === 1).length;
      }
    },

    *prune(turn: BookTurn): BookPass {
      audit.expectEntry({ who: turn.by, act: 'prune', nowMs: turn.nowMs });
      for (const days of old.days(turn.beforeDay)) yield* begun(days, turn);
      for (const one of old.begun()) {
        for (const lines of old.lines(one, LINES_ERASED)) {
          yield lines.some(({ says }) => says === 1) ? erased(lines) : 0;
        }
        end(one.id, turn);
      }
    },
  };
}
