import closeWithGrace from 'close-with-grace';
import { note } from '../show/output.ts';
import { onStopSignal } from './stop-signal.ts';

/**
 * Signals of a fault in machine code, such as a page of memory whose file was cut short. No listener may have them: it runs
 * in JavaScript later, while the faulty instruction is tried again for ever, so the process would hang instead of ending.
 */
export const FAULT_SIGNALS = ['SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV'] as const;

/**
 * Calls `close` at the first SIGINT or SIGTERM, or with the error that was not caught, and ends the process when it is done: with 1 after an
 * error or after `withinMs`, else with 0. A second signal ends it at once. SIGHUP is left to the caller.
 */
export function stopGracefully(withinMs: number, close: (error: Error | undefined) => Promise<void>): void {
  const graceful = closeWithGrace(
    { delay: withinMs, logger: false, skip: ['SIGHUP', 'SIGINT', 'SIGTERM', ...FAULT_SIGNALS] },
    ({ err }) => close(err),
  );
  onStopSignal((signal) => {
    note(`tallyhook: ${signal}: stopping, a second signal stops at once`);
    graceful.close();
  });
}
