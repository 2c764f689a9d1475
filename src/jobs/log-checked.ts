import type { Logger } from 'pino';
import type { CheckedRecord } from '../confirm/parts.ts';
import { traceOf } from '../domain/records/trace.ts';
import { printableLine } from '../domain/text/printable.ts';

/** The line of a status check; its trace is that of the delivery. */
export function logChecked(log: Logger, { environment, kind, reference, outcome, status }: CheckedRecord): void {
  const trace = traceOf(environment, kind, reference);
  log.debug({ trace, environment, kind, reference: printableLine(reference), outcome, status }, 'status checked');
}
