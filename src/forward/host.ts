import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Config } from '../config/load.ts';
import { KeptThread, startThread } from '../package-root.ts';
import type { Operations } from '../store/operations.ts';
import type { OperationsChannel } from '../store/operations-channel.ts';
import { type Forwarded, Forwarder } from './forwarder.ts';
import { inProcessDeliverer, type OnConfirmed } from './in-process.ts';
import { AttemptLog } from './log-attempt.ts';
import { type ForwardData, type FromForward, plainSecrets, type ToForward } from './messages.ts';
import { appTarget, type HttpTarget, httpTargets, targetRules } from './targets.ts';

/** The forwarding of `serve`, and of the library. */
export interface Forwarding {
  /** This process wrote rows. */
  wake(): void;
  /**
   * Later attempts are signed with the secrets of this configuration; nothing else of it is taken over. Returns the names of
   * the targets that it has secrets for.
   */
  reloadSecrets(config: Pick<Config, 'forward'>): readonly string[];
  /** Ends the attempts under way within `graceMs`, and writes how they ended. */
  stop(graceMs: number): Promise<void>;
}

export interface ForwardingParts {
  /** Opens a channel to the operations, one per started thread. */
  readonly connectOperations: () => OperationsChannel;
  readonly operations: Operations;
  readonly log: Logger;
  /** The application in this process. */
  readonly onConfirmed?: OnConfirmed | undefined;
  /** Called after each try to take the targets over, with why it failed; null: they are. */
  readonly onPlanned?: (failure: unknown) => void;
  /** Receives each attempt that ended, for the metrics. */
  readonly onForwarded?: (forwarded: Forwarded) => void;
}

/** Heap limits in MiB; the bytes of bodies are outside of it. */
const YOUNG_MB = 4;
const OLD_MB = 96;
/** Wait before the targets are taken over again after a failure. */
const PLAN_AGAIN_MS = 1_000;
const UNREACHABLE = 'the outbox could not be reached; it is tried again';

/**
 * Takes the targets over, and starts what delivers: a thread of its own for those reached by HTTP, so that a slow one delays neither
 * receiving nor jobs; this thread for the application in this process.
 */
export async function startForwarding(config: Pick<Config, 'forward'>, parts: ForwardingParts): Promise<Forwarding> {
  const { operations, log, onConfirmed } = parts;
  const attempts = new AttemptLog(log);
  const report = (forwarded: Forwarded) => {
    attempts.write(forwarded);
    parts.onForwarded?.(forwarded);
  };
  const targets = httpTargets(config);
  const thread = targets.length === 0 ? null : new ForwardThread(targets, parts, report);
  const app = onConfirmed === undefined ? null : inProcess(config, onConfirmed, parts, report);
  const stopping = new AbortController();
  let isReported = false;

  const plan = async (): Promise<void> => {
    try {
      await operations.outbox.plan({ targets: targetRules(config, { withApp: app !== null }) });
      parts.onPlanned?.(null);
      if (stopping.signal.aborted) return;
      app?.start();
      thread?.news();
    } catch (error) {
      parts.onPlanned?.(error);
      if (stopping.signal.aborted) return;
      if (!isReported) log.error({ err: error }, 'the targets could not be taken over; it is tried again');
      isReported = true;
      const again = setTimeout(() => {
        planned = plan();
      }, PLAN_AGAIN_MS);
      stopping.signal.addEventListener('abort', () => clearTimeout(again), { once: true });
    }
  };
  let planned = plan();
  await planned; // what is received from now on makes rows for these targets

  return {
    wake() {
      thread?.news();
      app?.wake();
    },
    reloadSecrets: (latest) => thread?.reload(httpTargets(latest)) ?? [],
    async stop(graceMs) {
      stopping.abort();
      await planned;
      await Promise.all([thread?.stop(graceMs), app?.stop(graceMs)]);
    },
  };
}

function inProcess(
  config: Pick<Config, 'forward'>,
  onConfirmed: OnConfirmed,
  { operations, log }: ForwardingParts,
  onForwarded: (forwarded: Forwarded) => void,
): Forwarder {
  const target = appTarget(config);
  return new Forwarder({
    outbox: operations.outbox,
    served: [{ target, deliverer: inProcessDeliverer(onConfirmed, target) }],
    onForwarded,
    onFault: (error) => log.error({ err: error }, UNREACHABLE),
  });
}

class ForwardThread {
  readonly #targets: readonly HttpTarget[];
  readonly #parts: ForwardingParts;
  #secrets: ForwardData['secrets'];
  readonly #thread: KeptThread<ToForward, FromForward>;

  constructor(targets: readonly HttpTarget[], parts: ForwardingParts, report: (forwarded: Forwarded) => void) {
    this.#targets = targets;
    this.#parts = parts;
    this.#secrets = plainSecrets(targets);
    const { log } = parts;
    this.#thread = new KeptThread({
      name: 'forwarding thread',
      start: () => this.#start(),
      receive(message) {
        if (message.type === 'forwarded') report(message.forwarded);
        else log.error({ reason: message.message, hint: message.hint }, UNREACHABLE);
      },
      log,
    });
  }

  news(): void {
    this.#thread.post({ type: 'news' });
  }

  reload(targets: readonly HttpTarget[]): readonly string[] {
    const latest = plainSecrets(targets).filter(({ name }) => this.#secrets.some((own) => own.name === name));
    // A target that the configuration no longer names is served until the next start, with the secrets that it had.
    this.#secrets = this.#secrets.map((own) => latest.find(({ name }) => name === own.name) ?? own);
    this.#thread.post({ type: 'secrets', secrets: this.#secrets });
    return latest.map(({ name }) => name);
  }

  stop(graceMs: number): Promise<void> {
    const late = 'forwarding did not end in time; its rows are attempted again when their leases are over';
    return this.#thread.stop({ type: 'stop', graceMs }, graceMs, late);
  }

  #start(): Worker {
    const port = this.#parts.connectOperations();
    const targets = this.#targets.map(({ secrets: _, ...target }) => target);
    return startThread('forward/thread', {
      workerData: { targets, secrets: this.#secrets, port } satisfies ForwardData,
      transferList: [port],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: OLD_MB },
    });
  }
}
