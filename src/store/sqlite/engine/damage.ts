import { BroadcastChannel } from 'node:worker_threads';
import { errorOf, type Failure, failureOf, type StoreError } from '../../error.ts';

/*
 * Damage of a database that the engine met in any thread of a process: a page, a list, a job or a check may read it first. `serve` ends by it,
 * because the log must forget nothing that stands in such a file alone.
 */

const CHANNEL = 'tallyhook: damage';

interface Damage {
  readonly path: string;
  readonly failure: Failure;
}

/** Tells it to the thread that began to keep deliveries in this database, if there is one. */
export function tellDamage(path: string, error: StoreError): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ path, failure: failureOf(error) } satisfies Damage);
  channel.close();
}

/** `onDamage` gets what any thread of this process meets. Returns how to end that. */
export function onDamageOf(database: string, onDamage: (error: StoreError) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    const { path, failure } = data as Damage;
    if (path === database) onDamage(errorOf(failure));
  };
  channel.unref();
  return () => channel.close();
}
