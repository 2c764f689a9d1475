import { join } from 'node:path';
import { openOrCreate } from '../../src/store/sqlite/engine/write-connection.ts';

/*
 * A process of its own: makes a new database in `folder` at each of `count` moments, 40 ms apart, as others do that were
 * given the same moments. Arguments: folder, first moment in milliseconds, count. Prints what went wrong.
 */
const [folder = '', first = '', count = ''] = process.argv.slice(2);
for (let n = 0; n < Number(count); n++) {
  while (performance.timeOrigin + performance.now() < Number(first) + n * 40);
  try {
    const { database, close } = openOrCreate(join(folder, `${n}.db`), 0);
    database.prepare('SELECT count(*) FROM events').get();
    close();
  } catch (error) {
    console.log(String(error));
  }
}
