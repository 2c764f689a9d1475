import { duration } from '../domain/text/quantity-text.ts';
import type { Incident } from '../why/incident.ts';
import { figure, type ListColumn, long, text, time } from './column.ts';

// Outages, restarts, refusals and alerts, in time order.

export function incidentColumns(nowMs: number): ListColumn<Incident>[] {
  return [
    time('From', ({ fromMs }) => fromMs),
    time('To', ({ toMs }) => toMs ?? 'lasts', { leaveOut: 2, isBeside: true }),
    figure('For', ({ fromMs, toMs }) => duration((toMs ?? nowMs) - fromMs), { leaveOut: 1 }),
    text('Kind', ({ kind }) => kind),
    text('Reason', ({ reason }) => reason, { leaveOut: 3 }),
    long('What', (incident) => incident.text),
  ];
}
