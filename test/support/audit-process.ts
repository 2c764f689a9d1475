import { openStore } from '../../src/store/open.ts';

/*
 * A process of its own: a person who says `count` times of line 1 that it belongs to a reference of its own. Prints each reference
 * once it is on disk. Arguments: database, name of the person, count.
 */
const [path = '', by = '', count = ''] = process.argv.slice(2);
const operations = await openStore(path).operations();
for (let n = 0; n < Number(count); n++) {
  const reference = `${by}-${n}`;
  const pair = { leg: 'records-wallet', lineId: 1, kind: 'collection', environment: 'test' } as const;
  await operations.runs.decide({ ...pair, reference, verdict: 'together', by, comment: null });
  console.log(reference);
}
await operations.close();
