import { Secret } from '../../src/domain/secrets/secret.ts';
import { httpDeliverer } from '../../src/forward/deliver.ts';
import { Forwarder } from '../../src/forward/forwarder.ts';
import type { HttpTarget } from '../../src/forward/targets.ts';
import { openStore } from '../../src/store/open.ts';
import { systemClock } from '../../src/time/clock.ts';
import { SECRET } from './consumer-secret.ts';

// One forwarder in a process of its own: `forward-process.ts DATABASE URL TIMEOUT_MS`. Tests kill and stop it. It posts what it ended.

const [, , database = '', url = '', timeoutMs = ''] = process.argv;
const operations = await openStore(database).operations();
const target: HttpTarget = {
  name: 'shop',
  url,
  secrets: [new Secret(SECRET)],
  policy: { allowHttp: false, allowPrivate: false },
  concurrency: 4,
  timeoutMs: Number(timeoutMs),
  includeBody: false,
  retry: { firstMs: 1, maxMs: 20, giveUpMs: 3_600_000 },
  breaker: { failures: 10_000, restMs: 1 },
};
const forwarder = new Forwarder({
  outbox: operations.outbox,
  served: [{ target, deliverer: httpDeliverer(target, { clock: systemClock }) }],
  onForwarded: ({ row, outcome, state }) => process.send?.({ id: row.webhookId, attempt: row.attempt, outcome, state }),
  onFault: (error) => console.error(error),
});
process.on('disconnect', () => process.exit(1));
forwarder.start();
