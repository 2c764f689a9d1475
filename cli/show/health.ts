import type { ChannelHealth, ChannelProblem } from '../../src/confirm/health.ts';
import { type Column, printTable } from './output.ts';
import { duration, isoTime, time } from './text.ts';

// A channel is one kind of record in one environment.

export function channelJson({ lastReceivedAtMs, ...channel }: ChannelHealth) {
  return { ...channel, lastReceivedAt: isoTime(lastReceivedAtMs) };
}

export function printChannels(channels: readonly ChannelHealth[]): void {
  printTable(channels, COLUMNS);
}

const PROBLEM = {
  silent: 'silent',
  sweep_share: 'webhooks lost or late',
} as const satisfies Record<ChannelProblem, string>;

const COLUMNS: readonly Column<ChannelHealth>[] = [
  { header: 'ENV', value: ({ environment }) => environment },
  { header: 'KIND', value: ({ kind }) => kind },
  {
    header: 'SETTLED',
    value: ({ settled, records, truncated }) => `${settled} of ${truncated ? 'the latest ' : ''}${records}`,
    leaveOut: 1,
  },
  { header: 'BY WEBHOOK', value: ({ byWebhook }) => byWebhook, align: 'right' },
  { header: 'BY SWEEP', value: bySweepText, align: 'right' },
  { header: 'REPAIRED', value: ({ repaired }) => repaired, align: 'right', leaveOut: 2 },
  { header: 'DELAY P50', value: ({ delays }) => orNone(delays.p50Ms), align: 'right', leaveOut: 6 },
  { header: 'P95', value: ({ delays }) => orNone(delays.p95Ms), align: 'right', leaveOut: 7 },
  { header: 'LAST RECEIVED', value: ({ lastReceivedAtMs }) => time(lastReceivedAtMs), leaveOut: 4 },
  { header: 'QUIET FOR', value: ({ silentForMs }) => orNone(silentForMs), leaveOut: 3 },
  { header: 'EXPECTED EVERY', value: ({ usualGapMs }) => orNone(usualGapMs), leaveOut: 5 },
  { header: 'STATE', value: ({ problems }) => problems.map((problem) => PROBLEM[problem]).join(', ') || 'well' },
];

function bySweepText({ bySweep, sweepShare }: ChannelHealth): string {
  return sweepShare === null ? `${bySweep}` : `${bySweep} (${percentText(sweepShare)})`;
}

/** `0 %`, `2.9 %`, `100 %` */
export function percentText(share: number): string {
  return `${Number((share * 100).toPrecision(share < 0.1 ? 2 : 3))} %`;
}

function orNone(milliseconds: number | null): string | null {
  return milliseconds === null ? null : duration(milliseconds);
}
