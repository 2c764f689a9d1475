import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addClusterAdoptCommand } from './cluster/adopt.ts';
import { addClusterBeginCommand } from './cluster/begin.ts';
import { addClusterLeaveCommand } from './cluster/leave.ts';
import { addClusterRebuildCommand } from './cluster/rebuild.ts';
import { addClusterStatusCommand } from './cluster/status.ts';
import { addClusterUpgradeCommand } from './cluster/upgrade.ts';

/** `tallyhook cluster …`: several machines that share one log. */
export function addClusterCommand(cli: Cli): Cli {
  return cli.command('cluster', SUMMARY.cluster, (cluster) => {
    for (const add of [
      addClusterBeginCommand,
      addClusterStatusCommand,
      addClusterUpgradeCommand,
      addClusterRebuildCommand,
      addClusterLeaveCommand,
      addClusterAdoptCommand,
    ])
      add(cluster);
    return cluster.demandCommand(1, 'Which command of cluster?');
  });
}
