import { STANDARD_CHECK_RULES } from '../../../src/domain/checks/next-check.ts';
import type { LeasedCheck } from '../../../src/store/checks.ts';
import { openStore } from '../../../src/store/open.ts';
import { until } from '../wait.ts';
import { clusterOf } from './served.ts';

// The machine `two`: takes one status check, says which, and ends it once it is asked to; then it says whether that counted.

const [, , path = '', log = ''] = process.argv;
const options = { zone: 'UTC', checkRules: STANDARD_CHECK_RULES, cluster: clusterOf('two', log) };
const { operations } = await openStore(path, options).inbox({
  limit: 100,
  unsafeFileSystem: true,
  onFatal: () => process.exit(1),
});
const filter = { kinds: ['refund'], environments: ['test'] } as const;
let leased: readonly LeasedCheck[] = [];
await until(async () => {
  leased = await operations.checks.lease({ filter, limit: 1, leaseMs: 60_000 });
  return leased.length > 0;
}, 'a check is due');
const { counter, kind, recordId } = leased[0] as LeasedCheck;
process.once('message', async () => {
  const finished = { counter, kind, recordId, outcome: 'unavailable', answer: null, detail: null } as const;
  process.send?.((await operations.checks.finish([finished]))[0]?.accepted);
});
process.send?.(recordId);
