import type { Clock } from '../../../time/clock.ts';
import type { RecordDetail } from '../../records.ts';
import type { RecordStory } from '../../story.ts';
import type { Database } from '../engine/database.ts';
import {
  LIST_COLUMNS,
  type ListRow,
  rowFromList,
  TARGET_COLUMNS,
  type TargetRow,
  targetFromRow,
} from '../rows/outbox.ts';

/** Most rows read of one record. */
const ROWS = 1_000;

/** Reads the news of one record for applications, and the targets that wait for its confirmation. The caller holds the snapshot. */
export function recordForwards(database: Database, clock: Clock) {
  const rowsOf = database.prepare<unknown[], ListRow>(`
    SELECT ${LIST_COLUMNS} FROM outbox
    WHERE reference = @reference AND kind = @kind AND environment = @environment ORDER BY id LIMIT ${ROWS}`);
  const present = database.prepare<[], TargetRow>(
    `SELECT ${TARGET_COLUMNS} FROM forward_targets WHERE present = 1 ORDER BY name`,
  );

  return (record: RecordDetail): Pick<RecordStory, 'forwards' | 'waitingTargets'> => {
    const { reference, kind, environment, confirmed } = record;
    const nowMs = clock.nowMs();
    const forwards = rowsOf.all({ reference, kind, environment, nowMs }).map((row) => rowFromList(row, nowMs));
    const targets = confirmed === null ? present.all().map(targetFromRow) : [];
    const waiting = targets.filter(
      ({ when, environments, kinds }) =>
        when === 'confirmed' && environments.includes(environment) && kinds.includes(kind),
    );
    return { forwards, waitingTargets: waiting.map(({ name }) => name) };
  };
}
