import type { ChannelHealth, ChannelProblem } from '../confirm/health.ts';
import { duration, percentText } from '../domain/text/quantity-text.ts';
import { count, figure, type ListColumn, status, text, time } from './column.ts';

// A channel is one kind of record in one environment.

const PROBLEM = {
  silent: 'silent',
  sweep_share: 'webhooks lost or late',
} as const satisfies Record<ChannelProblem, string>;

export function channelColumns(): ListColumn<ChannelHealth>[] {
  return [
    text('Env', ({ environment }) => environment),
    text('Kind', ({ kind }) => kind),
    text('Settled', ({ settled, records, truncated }) => `${settled} of ${truncated ? 'the latest ' : ''}${records}`, {
      leaveOut: 1,
    }),
    count('By webhook', ({ byWebhook }) => byWebhook),
    figure('By sweep', bySweepText),
    count('Repaired', ({ repaired }) => repaired, { leaveOut: 2 }),
    text('Delay p50', ({ delays }) => orNone(delays.p50Ms), { leaveOut: 6 }),
    text('p95', ({ delays }) => orNone(delays.p95Ms), { leaveOut: 7 }),
    time('Last received', ({ lastReceivedAtMs }) => lastReceivedAtMs, { leaveOut: 4, isBeside: true }),
    text('Quiet for', ({ silentForMs }) => orNone(silentForMs), { leaveOut: 3 }),
    text('Expected every', ({ usualGapMs }) => orNone(usualGapMs), { leaveOut: 5 }),
    status('State', ({ problems }) => problems.map((problem) => PROBLEM[problem]).join(', ') || 'well', {
      mark: ({ problems }) => (problems.length === 0 ? 'good' : 'warn'),
    }),
  ];
}

function bySweepText({ bySweep, sweepShare }: ChannelHealth): string {
  return sweepShare === null ? `${bySweep}` : `${bySweep} (${percentText(sweepShare)})`;
}

function orNone(milliseconds: number | null): string | null {
  return milliseconds === null ? null : duration(milliseconds);
}
