import type { News } from '../../../domain/periods/stale.ts';
import { RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import type { Known, NewsOrder } from '../../periods.ts';
import type { Count } from '../../records.ts';
import type { Database } from '../engine/database.ts';
import { effectiveText, secondsText } from '../rows/effective-time.ts';
import { startedText } from './reconciliation/fragments.ts';
import { hasRepeatsAlone } from './repeated-answers.ts';
import { finite } from './scan.ts';

interface RunScope extends Known {
  readonly toDay: string;
}

/** How many rows an index gave, and how many of them are news. */
interface Looked {
  readonly looked: number;
  readonly news: number;
}

type RecordsOrder = Pick<NewsOrder, 'environment' | 'beforeMs' | 'most'>;

/** Of a run that is not there: nothing came after it. */
const NONE: RunScope = { asAtMs: Number.MAX_SAFE_INTEGER, carriedOut: Number.MAX_SAFE_INTEGER, toDay: '' };

interface Parameters extends RunScope {
  readonly environment: string;
  readonly accounts: string | null;
}

/**
 * What came after a run began and may change what it found. Rows after the run's as-at time count, because the run saw
 * nothing of them.
 */
export function runNews(database: Database) {
  const scopeOf = database.prepare<[number], RunScope>(
    'SELECT as_at AS asAtMs, carried_out AS carriedOut, to_day AS toDay FROM reconciliation_runs WHERE id = ? AND finished_at IS NOT NULL',
  );
  const ofAccount = '(@accounts IS NULL OR a.name IN (SELECT value FROM json_each(@accounts)))';
  const statements = (since: string, state: string) =>
    database
      .prepare<Parameters, number>(`
        SELECT count(*) FROM imported_statements s JOIN accounts a ON a.id = s.account_id
        WHERE s.${since} > @asAtMs AND s.state IN (${state}) AND s.environment = @environment AND ${ofAccount}
          AND (s.covers_from IS NULL OR s.covers_from <= @toDay)`)
      .pluck();
  const imported = statements('imported_at', "'imported'");
  const removed = statements('removed_at', "'removing', 'removed'");
  const decisions = database
    .prepare<Parameters, number>(`
      SELECT count(*) FROM match_decisions d JOIN accounts a ON a.id = d.account_id
      WHERE d.decided_at > @asAtMs AND d.environment = @environment AND ${ofAccount} AND d.date <= @toDay`)
    .pluck();
  const payments = database
    .prepare<Parameters, number>(`
      SELECT count(DISTINCT g.exception_number)
      FROM exception_resolutions r INDEXED BY exception_resolutions_paid JOIN exceptions e ON e.number = r.exception_number
        JOIN exception_log g ON g.exception_number = e.number AND g.resolution_id = r.id
      WHERE r.resolution = 'claim' AND r.lines <> '[]' AND g.at > @asAtMs AND g.act IN ('resolve', 'pay', 'approve', 'reopen')
        AND e.environment = @environment
        AND (@accounts IS NULL OR e.account IN (SELECT value FROM json_each(@accounts)))
        AND EXISTS (SELECT 1 FROM json_each(r.lines) n WHERE n.value ->> 'date' <= @toDay)`)
    .pluck();
  // A run opens with the closings that were made before its as-at time.
  const closing = database.prepare<Parameters & { run: number }, NonNullable<News['closing']>>(`
    SELECT p.name AS period, c.closing
    FROM reconciliation_runs r JOIN periods p ON p.to_day < r.from_day
      JOIN period_closings c ON c.period_id = p.id AND c.closing = p.closing
    WHERE r.id = @run AND p.environment = @environment AND p.state <> 'open' AND c.closed_at > r.as_at
      AND (@accounts IS NULL OR p.accounts IS NULL OR EXISTS (
        SELECT 1 FROM json_each(p.accounts) a WHERE a.value IN (SELECT value FROM json_each(@accounts))))
    ORDER BY p.to_day DESC LIMIT 1`);
  // By time both indexes together have every record that changed: news of a pruned one makes it an unpruned one. By the log those are
  // left that the clock, set back meanwhile, dates before. The limit is on what an index gives, before anything else is asked of it.
  const changed = RECORD_KINDS.flatMap((kind) =>
    [
      ['r.due_at IS NULL AND r.pruned_at IS NULL AND r.changed_at > @asAtMs', 'TRUE'],
      ['r.environment = @environment AND r.due_at IS NOT NULL', 'r.changed_at > @asAtMs'],
      ['r.changed_seq > 0 AND r.changed_seq > @carriedOut', 'r.changed_at <= @asAtMs'],
    ].map(([ofIndex, since]) =>
      database.prepare<Known & { environment: string; until: string; most: number }, Looked>(`
        SELECT count(*) AS looked, coalesce(sum(isNews), 0) AS news FROM (
          SELECT CASE WHEN ${since} AND ${isOfDays(kind)} THEN NOT ${hasRepeatsAlone(kind)} ELSE 0 END AS isNews
          FROM ${kind}s r WHERE ${ofIndex} LIMIT @most)`),
    ),
  );

  /** How many records of the days, and of days before them, changed since; null once more than `most` were looked at. */
  function records({ environment, beforeMs, most = Number.POSITIVE_INFINITY }: RecordsOrder, since: Known): Count {
    const parameters = { environment, until: secondsText(beforeMs - 1), ...since };
    let [found, left] = [0, most];
    for (const look of changed) {
      const { looked, news } = look.get({ ...parameters, most: finite(left + 1) }) as Looked;
      if (looked > left) return null;
      found += news;
      left -= looked;
    }
    return found;
  }

  function scope({ run, environment, accounts }: Omit<NewsOrder, 'beforeMs'>): Parameters {
    const found = scopeOf.get(run) ?? NONE;
    return { ...found, environment, accounts: accounts === null ? null : JSON.stringify(accounts) };
  }

  /** What persons imported, removed and decided; some milliseconds. */
  function byPersons(order: Omit<NewsOrder, 'beforeMs'>): Omit<News, 'records'> {
    const { run } = order;
    const parameters = scope(order);
    return {
      statements: imported.get(parameters) ?? 0,
      removed: removed.get(parameters) ?? 0,
      decisions: decisions.get(parameters) ?? 0,
      payments: payments.get(parameters) ?? 0,
      closing: closing.get({ ...parameters, run }) ?? null,
    };
  }

  return {
    byPersons,
    records,
    /** All of it since the run, also news of records, of which a busy installation has many. */
    all: (order: NewsOrder): News => ({ records: records(order, scope(order)), ...byPersons(order) }),
  };
}

/** Record `r` is dated in the days or before them, or began by their end. */
function isOfDays(kind: RecordKind): string {
  const started = `coalesce(substr(${startedText(kind)}, 1, 19), strftime('%Y-%m-%dT%H:%M:%S', r.first_seen_at / 1000, 'unixepoch'))`;
  return `r.environment = @environment AND (${started} <= @until OR ${effectiveText(kind)} <= @until)`;
}
