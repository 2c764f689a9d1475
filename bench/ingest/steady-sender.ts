import type { Workplace } from '../workplace.ts';
import { senderLoad } from './load.ts';
import { expectClean, type LoadResult } from './load-result.ts';
import { EventSource } from './request-file.ts';

const CONNECTIONS = 64;

/** Sends as many new events as it is told to a receiver, at a steady rate, and expects that each is acknowledged. */
export type SteadySender = (count: number) => Promise<LoadResult>;

export function steadySender(
  workplace: Workplace,
  { subject, port, perSecond }: { readonly subject: string; readonly port: number; readonly perSecond: number },
): SteadySender {
  const events = new EventSource(workplace);
  return async (count) => {
    const file = events.file(count);
    const result = await senderLoad(workplace, { port, connections: CONNECTIONS, file }, { kind: 'steady', perSecond });
    events.discard(file);
    expectClean(subject, result);
    return result;
  };
}
