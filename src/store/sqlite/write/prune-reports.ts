import type { BookOrder } from '../../pruning.ts';
import { type Database, writing } from '../engine/database.ts';
import { OLD_PERIODS } from '../read/old-periods.ts';
import { periodSubject } from '../rows/periods.ts';
import type { AuditWrites } from './audit.ts';
import { type BookPass, type BookPruner, type BookTurn, bookSubject } from './book-pass.ts';

interface OldReports {
  readonly id: number;
  readonly set: string;
  readonly period: string;
  readonly reports: number;
}

/** Erases the bytes that closings froze, those of one period in one transaction. Digests, balances and the journal stay. */
export function reportPruner(database: Database, audit: AuditWrites): BookPruner {
  const old = database.prepare<{ beforeDay: string }, OldReports>(`
    SELECT p.id, p.set_name AS "set", p.name AS period,
      (SELECT count(*) FROM period_closings k WHERE k.period_id = p.id AND k.report IS NOT NULL) AS reports
    FROM ${OLD_PERIODS} ORDER BY p.set_name, p.from_day`);
  const erase = database.prepare<{ id: number; nowMs: number }>(
    'UPDATE period_closings SET report = NULL, erased_at = @nowMs WHERE period_id = @id AND report IS NOT NULL',
  );
  const found = ({ beforeDay }: BookOrder) => old.all({ beforeDay }).filter(({ reports }) => reports > 0);

  const erased = writing(database, (id: number, turn: BookTurn): number => {
    const one = found(turn).find((period) => period.id === id); // it may have been opened again meanwhile
    if (one === undefined) return 0;
    const subject = periodSubject(one.set, one.period);
    const before = audit.digestOf(subject);
    erase.run({ id, nowMs: turn.nowMs });
    const touched = [{ subject, before, after: audit.digestOf(subject) }];
    audit.append({ who: turn.by, act: 'prune', subject: bookSubject(turn), touched, nowMs: turn.nowMs });
    return one.reports;
  });

  return {
    *survey(order: BookOrder): BookPass {
      for (const { reports } of found(order)) yield reports;
    },

    *prune(turn: BookTurn): BookPass {
      for (const { id } of found(turn)) yield erased(id, turn);
    },
  };
}
