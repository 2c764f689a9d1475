import type { ChildProcess } from 'node:child_process';
import { packageFile } from '../../../src/package-root.ts';
import { fork } from '../processes.ts';

/** Starts a process that is the machine `one`: it receives deliveries until it is killed, and sends the reference of each that is acknowledged. */
export function startSender(path: string, log: string): ChildProcess {
  return fork(packageFile('test/support/shared-log/sender-process.ts'), [path, log], {});
}

/** Starts a process that is the machine `two`: it takes a status check, sends its record, and ends it at the first message. */
export function startHolder(path: string, log: string): ChildProcess {
  return fork(packageFile('test/support/shared-log/holder-process.ts'), [path, log], {});
}
