import { commandGroup } from '../options/command-group.ts';

const SUBCOMMANDS = {
  begin: async () => (await import('./cluster/begin.ts')).addClusterBeginCommand,
  status: async () => (await import('./cluster/status.ts')).addClusterStatusCommand,
  upgrade: async () => (await import('./cluster/upgrade.ts')).addClusterUpgradeCommand,
  rebuild: async () => (await import('./cluster/rebuild.ts')).addClusterRebuildCommand,
  leave: async () => (await import('./cluster/leave.ts')).addClusterLeaveCommand,
  adopt: async () => (await import('./cluster/adopt.ts')).addClusterAdoptCommand,
};

/** `tallyhook cluster …`: several machines that share one log. */
export const clusterCommand = (word: string | undefined) => commandGroup('cluster', word, SUBCOMMANDS);
