import { parentPort, workerData } from 'node:worker_threads';
import { TallyhookError } from '../domain/error.ts';
import { Secret } from '../domain/secrets/secret.ts';
import { operationsOf } from '../store/operations-channel.ts';
import { systemClock } from '../time/clock.ts';
import { httpDeliverer } from './deliver.ts';
import { Forwarder } from './forwarder.ts';
import type { ForwardData, FromForward, ToForward } from './messages.ts';

/** The forwarders' thread of `serve`: sends requests to targets. Every write goes to the thread of the database. */
function start({ targets, secrets, port }: ForwardData, post: (message: FromForward) => void): void {
  const { operations, close } = operationsOf(port);
  let current = secretsOf(secrets);
  const served = targets.map((plain) => {
    const target = { ...plain, secrets: current.get(plain.name) ?? [] };
    const secretsNow = () => current.get(target.name) ?? target.secrets;
    return { target, deliverer: httpDeliverer(target, { clock: systemClock, secrets: secretsNow }) };
  });
  const forwarder = new Forwarder({
    outbox: operations.outbox,
    served,
    onForwarded: (forwarded) => post({ type: 'forwarded', forwarded }),
    onFault(error) {
      const message = error instanceof Error ? error.message : String(error);
      post({ type: 'fault', message, hint: error instanceof TallyhookError ? error.hint : undefined });
    },
  });
  parentPort?.on('message', async (message: ToForward) => {
    if (message.type === 'news') forwarder.wake();
    else if (message.type === 'secrets') current = secretsOf(message.secrets);
    else {
      await forwarder.stop(message.graceMs);
      close();
      process.exit(0);
    }
  });
  forwarder.start();
}

function secretsOf(plain: ForwardData['secrets']): ReadonlyMap<string, readonly Secret[]> {
  return new Map(plain.map(({ name, texts }) => [name, texts.map((text) => new Secret(text))]));
}

if (parentPort !== null) {
  const port = parentPort;
  start(workerData, (message) => port.postMessage(message));
}
