import type { ChannelHealth } from '../../src/confirm/health.ts';
import { channelColumns } from '../../src/lists/channels.ts';
import { terminalColumns } from './list-columns.ts';
import { printTable } from './output.ts';
import { isoTime } from './text.ts';

// A channel is one kind of record in one environment.

export function channelJson({ lastReceivedAtMs, ...channel }: ChannelHealth) {
  return { ...channel, lastReceivedAt: isoTime(lastReceivedAtMs) };
}

export function printChannels(channels: readonly ChannelHealth[]): void {
  printTable(channels, terminalColumns(channelColumns()));
}
