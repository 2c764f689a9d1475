import { rmSync } from 'node:fs';
import type { CopyProgress } from '../../upkeep.ts';
import { openDatabase } from '../engine/database.ts';
import { openForReading } from '../engine/reading.ts';
import { copyInto, inspect } from './copy.ts';
import type { CopyOrder } from './copy-side-process.ts';
import { answerOrder } from './side-process.ts';

/** The side process that `copyInSideProcess` starts. */
answerOrder((order: CopyOrder, report: (doing: CopyProgress['doing']) => void) => {
  if (order.task === 'inspect') return inspect(order.path);
  if (order.task === 'back up') copyDatabase(order);
  else copyBackup(order.path, order.target);
  report('checking the copy');
  const contents = inspect(order.target);
  for (const part of ['-wal', '-shm']) rmSync(order.target + part, { force: true }); // an empty log, left by reading
  return contents;
});

function copyDatabase({ path, target, named }: Extract<CopyOrder, { task: 'back up' }>): void {
  const connection = openForReading(path);
  try {
    copyInto(connection.database, target, named);
  } finally {
    connection.close();
  }
}

function copyBackup(backup: string, target: string): void {
  const source = openDatabase(backup, { readonly: true });
  try {
    copyInto(source, target);
  } finally {
    source.close();
  }
  openDatabase(target).close(); // in write-ahead mode, in a transaction that the engine syncs
}
