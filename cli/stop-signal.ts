import { note } from './output.ts';
import { tellLauncherOfSignals } from './process.ts';

export interface StopSignal {
  /** Aborted by the first SIGINT or SIGTERM; the second one ends the process at once. */
  readonly signal: AbortSignal;
  dispose(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** For commands whose work can be cut short without harm; `promise` says what happens then. */
export function stopSignal(promise: string): StopSignal {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(1);
    note(`tallyhook: ${signal}: ${promise}; a second signal stops at once`);
    controller.abort();
  };
  tellLauncherOfSignals();
  for (const signal of SIGNALS) process.on(signal, stop);
  return {
    signal: controller.signal,
    dispose() {
      for (const signal of SIGNALS) process.off(signal, stop);
    },
  };
}
