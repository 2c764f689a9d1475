import { note } from '../show/output.ts';
import { stayWithoutParent } from './process.ts';

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
/**
 * Under npm a signal to the whole process group, such as Ctrl-C, reaches the program twice: npm passes its own on. One more
 * signal within this time after the first is that copy; on a busy machine npm takes a second to pass it on.
 */
const COPY_MS = 3_000;

/** Calls `stop` at the first SIGINT or SIGTERM, and ends the process at the second. Returns how to stop listening. */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): () => void {
  let firstAtMs: number | null = null;
  let copyMayCome = process.env.npm_lifecycle_event !== undefined;
  const receive = (signal: NodeJS.Signals) => {
    if (firstAtMs === null) {
      firstAtMs = performance.now();
      stayWithoutParent();
      stop(signal);
    } else if (copyMayCome && performance.now() - firstAtMs < COPY_MS) copyMayCome = false;
    else process.exit(1);
  };
  for (const signal of SIGNALS) process.on(signal, receive);
  return () => {
    for (const signal of SIGNALS) process.off(signal, receive);
  };
}

/** Stops a command that ends at once, and whose error then says what is there, at SIGINT or SIGTERM. */
export function stopAtOnce(): Pick<StopSignal, 'signal' | 'dispose'> {
  const controller = new AbortController();
  return { signal: controller.signal, dispose: onStopSignal(() => controller.abort()) };
}

/** Stops a command at SIGINT or SIGTERM. `consequence` is printed: what has been done by then, and what stays open. */
export function stopSignal(consequence: string): StopSignal {
  const controller = new AbortController();
  const cutOff = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stopListening = onStopSignal((signal) => {
    note(`tallyhook: ${signal}: ${consequence}; a second signal stops at once`);
    controller.abort();
    timer = setTimeout(() => cutOff.abort(), CUT_OFF_MS);
  });
  return {
    signal: controller.signal,
    cutOff: cutOff.signal,
    dispose() {
      clearTimeout(timer);
      stopListening();
    },
  };
}
