import type { Environment } from '../../../domain/environment.ts';
import { continuedRun, type RefusedRun, type SuspectLikeness } from '../../../domain/refusals/refused-run.ts';
import { continuedSpan, type RefusedSpan, spanPath } from '../../../domain/refusals/refused-span.ts';
import type { Refusal, RefusalCount } from '../../inbox.ts';
import { type Database, writing } from '../engine/database.ts';
import { KEPT_AT, REFUSED_RUNS } from '../read/arrivals.ts';
import { REFUSED_SPANS, type SpanRow, spanOf } from '../read/refused.ts';

/** Samples kept, so that a flood of unsigned requests cannot fill the disk (RELIABILITY T10). */
const SAMPLES = 100;
/** Spans kept, some 20 MB: at most reasons times paths begin in an hour, usually a handful in a week. */
const SPANS = 100_000;

export function refusalWrites(database: Database) {
  const addCount = database.prepare<Pick<RefusalCount, 'path' | 'reason' | 'count' | 'firstAtMs' | 'lastAtMs'>>(`
    INSERT INTO refusals (path, reason, count, first_at, last_at)
    VALUES (@path, @reason, @count, @firstAtMs, @lastAtMs)
    ON CONFLICT (path, reason) DO UPDATE SET count = count + excluded.count, last_at = max(last_at, excluded.last_at)`);
  const knownRun = database.prepare<[Environment, SuspectLikeness], RefusedRun>(
    `${REFUSED_RUNS} WHERE environment = ? AND likeness = ?`,
  );
  const keptAt = database.prepare<[Environment], number | null>(KEPT_AT).pluck();
  const putRun = database.prepare<RefusedRun>(`
    INSERT OR REPLACE INTO refused_runs (environment, likeness, count, first_at, last_at, reason, path)
    VALUES (@environment, @likeness, @count, @firstAtMs, @lastAtMs, @reason, @path)`);
  const freeSlot = database
    .prepare<[], number>(`
      SELECT CASE WHEN count(*) < ${SAMPLES} THEN count(*) ELSE (SELECT slot FROM refusal_samples ORDER BY at, slot LIMIT 1) END
      FROM refusal_samples`)
    .pluck();
  const putSample = database.prepare<Refusal & { slot: number }>(`
    INSERT OR REPLACE INTO refusal_samples (slot, at, path, reason, remote_address, content_length, user_agent)
    VALUES (@slot, @atMs, @path, @reason, @remoteAddress, @contentLength, @userAgent)`);
  const latestSpan = database.prepare<Pick<RefusedSpan, 'likeness' | 'reason' | 'path'>, SpanRow>(`
    ${REFUSED_SPANS} WHERE likeness = @likeness AND reason = @reason AND path IS @path ORDER BY id DESC LIMIT 1`);
  const putSpan = database.prepare<SpanParameters & { id: number | null }>(`
    INSERT OR REPLACE INTO refused_spans (id, likeness, reason, path, environments, count, first_at, last_at, last_path)
    VALUES (@id, @likeness, @reason, @path, @environments, @count, @firstAtMs, @lastAtMs, @lastPath)`);
  const forgetSpans = database.prepare(
    `DELETE FROM refused_spans WHERE id <= (SELECT max(id) FROM refused_spans) - ${SPANS}`,
  );

  function addToSpans({
    likeness,
    reason,
    path,
    environments,
    count,
    firstAtMs,
    lastAtMs,
    lastPath,
  }: RefusalCount): void {
    const found = { likeness, reason, path: spanPath({ likeness, path }) };
    const news = { ...found, environments: environments.toSorted(), count, firstAtMs, lastAtMs, lastPath };
    const known = latestSpan.get(found);
    const continued = known === undefined ? null : continuedSpan(spanOf(known), news);
    if (known !== undefined && continued !== null) putSpan.run({ ...parametersOf(continued), id: known.id });
    else {
      putSpan.run({ ...parametersOf(news), id: null });
      forgetSpans.run();
    }
  }

  function addToRuns({
    likeness,
    environments,
    count,
    firstAtMs,
    lastAtMs,
    reason,
    lastPath: path,
  }: RefusalCount): void {
    if (likeness === 'other') return;
    for (const environment of environments) {
      const news = { environment, likeness, count, firstAtMs, lastAtMs, reason, path };
      putRun.run(continuedRun(knownRun.get(environment, likeness) ?? null, news, keptAt.get(environment) ?? null));
    }
  }

  return {
    add: writing(database, (counts: readonly RefusalCount[], samples: readonly Refusal[]): void => {
      for (const one of counts) {
        const { path, reason, count, firstAtMs, lastAtMs } = one;
        addCount.run({ path, reason, count, firstAtMs, lastAtMs });
        addToRuns(one);
        addToSpans(one);
      }
      for (const sample of samples) putSample.run({ ...sample, slot: freeSlot.get() as number });
    }),
  };
}

type SpanParameters = ReturnType<typeof parametersOf>;

function parametersOf({ likeness, reason, path, count, firstAtMs, lastAtMs, lastPath, environments }: RefusedSpan) {
  return { likeness, reason, path, count, firstAtMs, lastAtMs, lastPath, environments: environments.join(',') };
}
