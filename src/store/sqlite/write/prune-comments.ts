import type { BookOrder } from '../../pruning.ts';
import { type Database, writing } from '../engine/database.ts';
import { IS_UNFINISHED, isOld } from '../read/old-periods.ts';
import type { AuditWrites } from './audit.ts';
import { type BookPass, type BookPruner, type BookTurn, bookSubject } from './book-pass.ts';

/** Comments looked at by one turn, erased or not. */
const MOST_LOOKED_AT = 1_000;
/** Subjects of one transaction: the digests of each take a third of a millisecond. */
const MOST_SUBJECTS = 32;

interface OldComment {
  readonly id: number;
  readonly subject: string;
}

/** Erases comments about what closed periods hold: of exceptions that are settled for good, and of decisions about matches. */
export function commentPruner(database: Database, audit: AuditWrites): BookPruner {
  const day = (account: string, one: string) => ({ account, environment: `${one}.environment`, date: `${one}.date` });
  const sources = [
    {
      last: database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM exception_comments').pluck(),
      old: database.prepare<Window, OldComment>(`
        SELECT m.id, 'exception:' || x.id AS subject
        FROM exception_comments m JOIN exceptions x ON x.number = m.exception_number
          LEFT JOIN exception_resolutions r ON r.id = x.resolution_id
        WHERE m.id > @after AND m.id <= @to AND m.text IS NOT NULL AND m.said_at < @beforeMs
          AND NOT ${IS_UNFINISHED} AND ${isOld(day('x.account', 'x'))} ORDER BY m.id`),
      erase: database.prepare<[number]>('UPDATE exception_comments SET text = NULL WHERE id = ?'),
    },
    {
      last: database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM match_decisions').pluck(),
      old: database.prepare<Window, OldComment>(`
        SELECT m.id, 'decision:' || m.id AS subject FROM match_decisions m JOIN accounts a ON a.id = m.account_id
        WHERE m.id > @after AND m.id <= @to AND m.comment IS NOT NULL AND m.decided_at < @beforeMs
          AND ${isOld(day('a.name', 'm'))} ORDER BY m.id`),
      erase: database.prepare<[number]>('UPDATE match_decisions SET comment = NULL WHERE id = ?'),
    },
  ] as const;
  type Source = (typeof sources)[number];

  const within = ({ beforeDay, beforeMs }: BookOrder, after: number): Window => ({
    ...{ beforeDay, beforeMs, after, to: after + MOST_LOOKED_AT },
  });

  /** Erases some of those behind `after`; returns the last one of them, and how many they are. */
  const erased = writing(database, ({ old, erase }: Source, after: number, turn: BookTurn) => {
    const found = old.all(within(turn, after));
    const subjects = new Set<string>();
    const taken: OldComment[] = [];
    for (const one of found) {
      if (!subjects.has(one.subject) && subjects.size === MOST_SUBJECTS) break;
      subjects.add(one.subject);
      taken.push(one);
    }
    if (taken.length === 0) return { count: 0, last: after + MOST_LOOKED_AT };
    const before = [...subjects].map((subject) => ({ subject, before: audit.digestOf(subject) }));
    for (const { id } of taken) erase.run(id);
    const touched = before.map((one) => ({ ...one, after: audit.digestOf(one.subject) }));
    audit.append({ who: turn.by, act: 'prune', subject: bookSubject(turn), touched, nowMs: turn.nowMs });
    const isAll = taken.length === found.length;
    return { count: taken.length, last: isAll ? after + MOST_LOOKED_AT : (taken.at(-1)?.id ?? after) };
  });

  return {
    *survey(order: BookOrder): BookPass {
      for (const { last, old } of sources) {
        const end = last.get() ?? 0;
        for (let after = 0; after < end; after += MOST_LOOKED_AT) yield old.all(within(order, after)).length;
      }
    },

    *prune(turn: BookTurn): BookPass {
      for (const source of sources) {
        const end = source.last.get() ?? 0;
        for (let after = 0; after < end; ) {
          // Looked at first: an empty piece needs no write lock.
          if (source.old.all(within(turn, after)).length === 0) {
            after += MOST_LOOKED_AT;
            yield 0;
            continue;
          }
          const { count, last } = erased(source, after, turn);
          after = last;
          yield count;
        }
      }
    },
  };
}

interface Window {
  readonly beforeDay: string;
  readonly beforeMs: number;
  readonly after: number;
  readonly to: number;
}
