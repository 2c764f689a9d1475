import { setLaterFlags } from '../../cli/runtime.js';
import { bareSubject } from './bare.ts';
import { oneInsertSubject } from './one-insert.ts';
import type { RunningSubject, SubjectKind } from './running-subject.ts';
import { tallyhookSubject } from './tallyhook.ts';

// The process that is measured: `subject.ts KIND DATABASE [SETTINGS]`. It sends its ports to its parent, and ends on a
// message from it or when the channel to it closes.

const SUBJECTS = {
  bare: bareSubject,
  tallyhook: tallyhookSubject,
  'one-insert': oneInsertSubject,
} as const satisfies Record<SubjectKind, unknown>;

setLaterFlags(); // as the launcher does
const [, , kind, database = '', settings = '{}'] = process.argv;
const subject: RunningSubject = await SUBJECTS[kind as SubjectKind](database, JSON.parse(settings));
process.on('disconnect', () => process.exit(1));
process.on('message', async () => {
  await subject.close();
  process.exit(0);
});
const { port, adminPort, dashboardUrl } = subject;
process.send?.({ pid: process.pid, port, adminPort, dashboardUrl });
