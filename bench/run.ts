import { benchClose, CLOSE_USAGE } from './close.ts';
import { benchCluster, CLUSTER_USAGE } from './cluster.ts';
import { benchDashboard, DASHBOARD_USAGE } from './dashboard.ts';
import { benchForward, FORWARD_USAGE } from './forward.ts';
import { benchGuard, GUARD_USAGE } from './guard.ts';
import { benchIngest, INGEST_USAGE } from './ingest.ts';
import { benchInput, INPUT_USAGE } from './input.ts';
import { benchLogins, LOGINS_USAGE } from './logins.ts';
import { benchReconcile, RECONCILE_USAGE } from './reconcile.ts';
import { benchRows, ROWS_USAGE } from './rows.ts';
import { benchSandbox, SANDBOX_USAGE } from './sandbox.ts';
import { benchStatus, STATUS_USAGE } from './status.ts';
import { benchSweep, SWEEP_USAGE } from './sweep.ts';

// `npm run bench -- NAME [options]`: figures of one part of the program, by hand and before a release.

const BENCHES: Record<string, { run: (args: string[]) => Promise<void>; usage: string }> = {
  guard: { run: benchGuard, usage: GUARD_USAGE },
  ingest: { run: benchIngest, usage: INGEST_USAGE },
  cluster: { run: benchCluster, usage: CLUSTER_USAGE },
  forward: { run: benchForward, usage: FORWARD_USAGE },
  sweep: { run: benchSweep, usage: SWEEP_USAGE },
  reconcile: { run: benchReconcile, usage: RECONCILE_USAGE },
  close: { run: benchClose, usage: CLOSE_USAGE },
  rows: { run: benchRows, usage: ROWS_USAGE },
  input: { run: benchInput, usage: INPUT_USAGE },
  dashboard: { run: benchDashboard, usage: DASHBOARD_USAGE },
  logins: { run: benchLogins, usage: LOGINS_USAGE },
  status: { run: benchStatus, usage: STATUS_USAGE },
  sandbox: { run: benchSandbox, usage: SANDBOX_USAGE },
};

const [name = '', ...args] = process.argv.slice(2);
const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (bench === undefined || args.includes('--help')) {
  const usages = bench === undefined ? Object.values(BENCHES).map(({ usage }) => usage) : [bench.usage];
  console.error(usages.join('\n'));
  process.exit(name === '' || bench !== undefined ? 0 : 2);
}
try {
  await bench.run(args);
} catch (error) {
  console.error(`bench ${name}: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
