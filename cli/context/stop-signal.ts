import { note } from '../show/output.ts';

export interface StopSignal {
  /** Aborted by the first SIGINT or SIGTERM; the second one ends the process at once. */
  readonly signal: AbortSignal;
  /** Aborted CUT_OFF_MS later: what others have not answered by then is not waited for. */
  readonly cutOff: AbortSignal;
  dispose(): void;
}

/** A question that is answered at all is answered in this, as a rule. */
const CUT_OFF_MS = 2_000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** For commands whose work can be cut short without harm; `promise` says what happens then. */
export function stopSignal(promise: string): StopSignal {
  const controller = new AbortController();
  const cutOff = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(1);
    note(`tallyhook: ${signal}: ${promise}; a second signal stops at once`);
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
