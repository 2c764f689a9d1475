import { STANDARD_CHECK_RULES } from '../../../src/domain/checks/next-check.ts';
import { openStore } from '../../../src/store/open.ts';
import { refund } from '../deliveries.ts';
import { clusterOf } from './served.ts';

const [, , path = '', log = ''] = process.argv;
const options = { zone: 'UTC', checkRules: STANDARD_CHECK_RULES, cluster: clusterOf('one', log) };
const inbox = await openStore(path, options).inbox({
  limit: 100,
  unsafeFileSystem: true,
  onFatal: () => process.exit(1),
});
for (let n = 0; n < 10_000; n++) {
  const pair = [`K${n}a`, `K${n}b`];
  await Promise.all(
    pair.map(async (reference) => {
      await inbox.keep(refund(reference, 'pending'));
      process.send?.(reference);
    }),
  );
}
