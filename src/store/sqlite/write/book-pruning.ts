import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import type { Timed } from '../../../time/clock.ts';
import type { ByPerson } from '../../audit.ts';
import type { BookOrder, BookPart, BookStep } from '../../pruning.ts';
import type { Database } from '../engine/database.ts';
import type { AuditWrites } from './audit.ts';
import type { BookPass, BookPruner, BookTurn } from './book-pass.ts';
import { overwriting } from './overwriting.ts';
import { commentPruner } from './prune-comments.ts';
import { reportPruner } from './prune-reports.ts';
import { textPruner } from './prune-texts.ts';

/** Erases what closed periods keep of people. The next process starts an unfinished pass again. */
export function bookPruningWrites(database: Database, audit: AuditWrites) {
  const pruners: Readonly<Record<BookPart, BookPruner>> = {
    texts: textPruner(database, audit),
    comments: commentPruner(database, audit),
    reports: reportPruner(database, audit),
  };
  const passes = new Map<string, { readonly turn: BookTurn; readonly pass: BookPass }>();

  function step(key: string, nowMs: number, begin: () => { turn: BookTurn; pass: BookPass }): BookStep {
    const one = passes.get(key) ?? begin();
    passes.delete(key); // what throws is not gone on with
    one.turn.nowMs = nowMs;
    const { value, done = false } = one.pass.next();
    if (!done) passes.set(key, one);
    return { count: value ?? 0, done };
  }

  return {
    survey(order: BookOrder): BookStep {
      return step(JSON.stringify(['survey', order]), 0, () => {
        const turn = { ...order, by: TALLYHOOK, nowMs: 0 };
        return { turn, pass: pruners[order.part].survey(turn) };
      });
    },

    prune({ nowMs, ...order }: BookOrder & ByPerson & Timed): BookStep {
      return overwriting(database, () =>
        step(JSON.stringify(['prune', order]), nowMs, () => {
          const turn = { by: TALLYHOOK, ...order, nowMs };
          return { turn, pass: pruners[order.part].prune(turn) };
        }),
      );
    },
  };
}
