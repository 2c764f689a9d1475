import { STANDARD_CHECK_RULES } from '../../../src/domain/checks/next-check.ts';
import { openStore } from '../../../src/store/open.ts';
import { refund } from '../deliveries.ts';
import { FixedClock } from '../fixed-clock.ts';
import { clusterOf } from './served.ts';
import { type Held, planWork, takenBy } from './taken-work.ts';
import type { WorkerAnswer, WorkerCall } from './workers.ts';

// A machine that takes work, and ends what it holds, as it is told, until it is killed.

const [, , name = '', path = '', log = ''] = process.argv;
const clock = new FixedClock();
const options = { zone: 'UTC', checkRules: STANDARD_CHECK_RULES, clock, cluster: clusterOf(name, log) };
const inbox = await openStore(path, options).inbox({
  limit: 100,
  unsafeFileSystem: true,
  onFatal: () => process.exit(1),
});
await planWork(inbox.operations);
const holds: Held[] = [];

async function done(call: WorkerCall): Promise<WorkerAnswer['result']> {
  clock.ms = call.clockMs;
  switch (call.act) {
    case 'keep':
      await inbox.keep(refund(call.reference, 'pending'));
      return null;
    case 'take': {
      const { round, nowMs } = call;
      const taken = await takenBy(inbox.operations, { holder: name, round, nowMs });
      return taken.map((held) => ({ key: held.key, untilMs: held.untilMs, number: holds.push(held) - 1 }));
    }
    case 'end':
      return (await holds[call.number]?.end()) === true;
  }
}

process.on('message', async (call: WorkerCall) => {
  process.send?.({ id: call.id, result: await done(call) } satisfies WorkerAnswer);
});
process.send?.({ id: 0, result: null } satisfies WorkerAnswer);
