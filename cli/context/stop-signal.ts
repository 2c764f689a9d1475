import { note } from '../show/output.ts';

export interface StopSignal {
  /** Aborted by the first SIGINT or SIGTERM; the second one ends the process at once. */
  readonly signal: AbortSignal;
  /** Aborted CUT_OFF_MS later: ends requests that have no response yet. */
  readonly cutOff: AbortSignal;
  dispose(): void;
}

/** Time for open requests to end by themselves: most responses come within 2 s. */
const CUT_OFF_MS = 2_000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Stops a command at SIGINT or SIGTERM. `consequence` is printed: what has been done by then, and what stays open. */
export function stopSignal(consequence: string): StopSignal {
  const controller = new AbortController();
  const cutOff = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(1);
    note(`tallyhook: ${signal}: ${consequence}; a second signal stops at once`);
    controller.abort();
    timer = setTimeout(() => cutOff.abort(), CUT_OFF_MS);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  return {
    signal: controller.signal,
    cutOff: cutOff.signal,
    dispose() {
      clearTimeout(timer);
      for (const signal of SIGNALS) process.off(signal, stop);
    },
  };
}
