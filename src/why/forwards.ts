import { obstacleStep, obstacleText } from '../domain/forwarding/forward-obstacle.ts';
import type { ShownRowState } from '../domain/forwarding/forward-row.ts';
import { isSettled } from '../domain/records/lifecycle.ts';
import type { OutboxRow } from '../store/outbox.ts';
import { type Entry, iso, type Source, times } from './entry.ts';

/** News of the record for applications: when each piece was written, how it ended, and who waits for a confirmation. */
export const forwards: Source = (story, { time }) => [
  ...story.forwards.flatMap((row) => [written(row, time), ...(row.attempts === 0 ? [] : [ended(row, time)])]),
  ...unproven(story),
];

function written(row: OutboxRow, time: (ms: number) => string): Entry {
  const again = row.replayed ? 'written again, by a replay' : 'written';
  const unsent = row.attempts === 0 ? (obstacle(row, time) ?? NOT_SENT[row.state]) : '';
  const text = `News ${row.type} for target ${row.target} is ${again}.${unsent}`;
  return { atMs: row.createdAtMs, source: 'forward', text, facts: factsOf(row) };
}

function ended(row: OutboxRow, time: (ms: number) => string): Entry {
  const atMs = row.deliveredAtMs ?? row.lastAttemptAtMs ?? row.createdAtMs;
  const tried = `tried ${times(row.attempts)}`;
  const due = row.state === 'failing' ? (obstacle(row, time) ?? ` Next at ${time(row.dueAtMs)}.`) : '';
  const last = row.outcome === null || row.state === 'delivered' ? '' : ` The last outcome: ${row.outcome}.`;
  const text = `News ${row.type} for target ${row.target}: ${STATE_TEXT[row.state]}, ${tried}.${last}${due} See: tallyhook outbox show ${row.webhookId}`;
  return { atMs, source: 'forward', text, facts: factsOf(row) };
}

/** While its target takes nothing, the row has no time of a next attempt. */
function obstacle({ target, obstacle: stops }: OutboxRow, time: (ms: number) => string): string | null {
  if (stops === null) return null;
  return ` Target ${target} is ${obstacleText(stops, time)}. ${obstacleStep(target, stops)}.`;
}

/** A record whose endpoint confirms nothing makes no news for targets that want what is confirmed. */
function unproven({ record, waitingTargets }: Parameters<Source>[0]): Entry[] {
  const { kind, reported, check, changedAtMs } = record;
  const isUnproven = check?.outcome === 'unproven' || check?.outcome === 'unconfirmable';
  if (!isUnproven || reported === null || !isSettled(kind, reported)) return [];
  return waitingTargets.map((target) => {
    const text = `Target ${target} gets no news of it: the status endpoint is unproven or absent. With when: received it would.`;
    return { atMs: changedAtMs, source: 'forward', text, facts: { target, waitsFor: 'confirmation' } };
  });
}

function factsOf(row: OutboxRow): Entry['facts'] {
  const { webhookId: id, target, type, n, state, attempts, outcome, supersededBy, deliveredAtMs } = row;
  return { id, target, type, n, state, attempts, outcome, supersededBy, deliveredAt: iso(deliveredAtMs) };
}

const STATE_TEXT = {
  waiting: 'under way',
  failing: 'not accepted yet',
  dead: 'given up, a dead letter',
  superseded: 'superseded by newer news',
  delivered: 'delivered',
  dropped: 'dropped',
  orphaned: 'its target is gone',
} as const satisfies Record<ShownRowState, string>;

const NOT_SENT = {
  waiting: ' It waits to be sent.',
  failing: '',
  dead: '',
  superseded: ' It was superseded by newer news.',
  delivered: '',
  dropped: ' It was dropped before it was sent.',
  orphaned: ' Its target is gone from the configuration.',
} as const satisfies Record<ShownRowState, string>;
