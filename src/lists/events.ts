import type { AsideDelivery } from '../store/aside.ts';
import type { EventDetail, EventSummary } from '../store/events.ts';
import { count, id, type ListColumn, long, status, text, time } from './column.ts';

// Events, and deliveries that were set aside.

export function eventColumns(): ListColumn<EventSummary>[] {
  return [
    count('Id', (event) => event.id),
    time('Received', ({ receivedAtMs }) => receivedAtMs, { leaveOut: 2 }),
    text('Env', ({ environment }) => environment, { leaveOut: 4 }),
    text('Event', ({ event }) => event),
    id('Reference', ({ reference }) => reference),
    text('Status', (event) => event.status, { leaveOut: 3 }),
    status('State', eventStateText, { leaveOut: 6, mark: ({ state }) => (state === 'quarantined' ? 'warn' : 'quiet') }),
    count('Deliveries', ({ deliveries }) => deliveries, { leaveOut: 1 }),
    count('Variants', ({ variants }) => variants, {
      leaveOut: 5,
      mark: ({ variants }) => (variants > 0 ? 'warn' : undefined),
    }),
  ];
}

export function asideColumns(): ListColumn<AsideDelivery>[] {
  return [
    count('Id', (delivery) => delivery.id),
    time('Set aside', ({ setAsideAtMs }) => setAsideAtMs, { leaveOut: 2 }),
    text('Env', ({ environment }) => environment, { leaveOut: 3 }),
    count('Bytes', ({ bytes }) => bytes.byteLength, { leaveOut: 1 }),
    long('Reason', ({ reason }) => reason),
  ];
}

export function eventStateText({ state, quarantine, prunedAtMs }: EventSummary): string {
  if (quarantine !== null) return `${state}: ${quarantine}`;
  if (prunedAtMs !== null) return `${state}, pruned`;
  return state;
}

/** What an event did to the reported status of its record; null: it observes none. */
export function moveText({ record, move }: EventDetail): string | null {
  if (record === null || move === null) return null;
  const what = `${record.kind} ${record.reference}`;
  if (move.from === move.to) return `${what} stays ${move.to ?? 'without a status'}`;
  return `${what}: ${move.from ?? 'new'} → ${move.to ?? 'without a status'}; now ${record.reported ?? '-'}`;
}
