import { bareSubject } from './bare.ts';
import { oneInsertSubject } from './one-insert.ts';
import { tallyhookSubject } from './tallyhook.ts';

// The process that is measured: `subject.ts KIND DATABASE [SETTINGS]`. It tells its ports and stops when it is told to, or when the
// benchmark is gone.

export interface RunningSubject {
  readonly port: number;
  readonly adminPort: number | null;
  close(): Promise<void>;
}

const SUBJECTS = { bare: bareSubject, tallyhook: tallyhookSubject, 'one-insert': oneInsertSubject } as const;
export type SubjectKind = keyof typeof SUBJECTS;

if (import.meta.main) {
  const [, , kind, database = '', settings = '{}'] = process.argv;
  const subject: RunningSubject = await SUBJECTS[kind as SubjectKind](database, JSON.parse(settings));
  process.on('disconnect', () => process.exit(1));
  process.on('message', async () => {
    await subject.close();
    process.exit(0);
  });
  process.send?.({ pid: process.pid, port: subject.port, adminPort: subject.adminPort });
}
