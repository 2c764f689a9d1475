import { rmSync } from 'node:fs';
import type { Contents, CopyProgress } from '../../upkeep.ts';
import { openDatabase } from '../engine/database.ts';
import { expectDefinitions } from '../engine/definitions.ts';
import { generationOf, nextGeneration, setGeneration } from '../engine/generation.ts';
import { openForReading } from '../engine/reading.ts';
import { copyInto, inspect } from './copy.ts';
import type { CopyOrder } from './copy-side-process.ts';
import { answerOrder } from './side-process.ts';

/** The side process that `copyInSideProcess` starts. */
answerOrder((order: CopyOrder, report: (doing: CopyProgress['doing']) => void) => {
  if (order.task === 'inspect') return inspectToRestore(order.path);
  if (order.task === 'back up') copyDatabase(order);
  else copyBackup(order);
  report('checking the copy');
  const contents = inspect(order.target);
  for (const part of ['-wal', '-shm']) rmSync(order.target + part, { force: true }); // an empty log, left by reading
  return contents;
});

/** A backup is made of any database, and restored only when nothing in it undoes what is kept. */
function inspectToRestore(path: string): Contents {
  const contents = inspect(path);
  const backup = openDatabase(path, { readonly: true });
  try {
    expectDefinitions(backup);
  } finally {
    backup.close();
  }
  return contents;
}

function copyDatabase({ path, target, named }: Extract<CopyOrder, { task: 'back up' }>): void {
  const connection = openForReading(path);
  try {
    copyInto(connection.database, target, named);
  } finally {
    connection.close();
  }
}

function copyBackup({ path, target, nowMs, after }: Extract<CopyOrder, { task: 'bring in' }>): void {
  const source = openDatabase(path, { readonly: true });
  try {
    copyInto(source, target);
  } finally {
    source.close();
  }
  const copy = openDatabase(target); // in write-ahead mode, in a transaction that the engine syncs
  try {
    setGeneration(copy, nextGeneration(nowMs, generationOf(copy), after));
    const columns = copy.pragma('table_info(carried_out)') as { name: string }[];
    // It is of one machine alone; a machine of a cluster finds its place in the log anew.
    if (columns.some(({ name }) => name === 'cluster'))
      copy.exec('UPDATE carried_out SET cluster = NULL, node = NULL, stopped = NULL, epoch = NULL, timeline = NULL');
  } finally {
    copy.close();
  }
}
