import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Config } from '../config/load.ts';
import { startThread } from '../package-root.ts';
import type { Operations } from '../store/operations.ts';
import type { OperationsChannel } from '../store/operations-channel.ts';
import { type Forwarded, Forwarder } from './forwarder.ts';
import { inProcessDeliverer, type OnConfirmed } from './in-process.ts';
import { logAttempt } from './log-attempt.ts';
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
  /** Receives each attempt that ended, for the metrics. */
  readonly onForwarded?: (forwarded: Forwarded) => void;
}

/** Heap limits in MiB; the bytes of bodies are outside of it. */
const YOUNG_MB = 4;
const OLD_MB = 96;
/** Wait before a thread that ended is started again; its rows are attempted again when their leases are over. */
const RESTART_MS = 5_000;
/** Wait before the targets are taken over again after a failure. */
const PLAN_AGAIN_MS = 5_000;

/**
 * Takes the targets over, and starts what delivers: a thread of its own for those reached by HTTP, so that a slow one delays neither
 * receiving nor jobs; this thread for the application in this process.
 */
export async function startForwarding(config: Pick<Config, 'forward'>, parts: ForwardingParts): Promise<Forwarding> {
  const { operations, log, onConfirmed } = parts;
  const report = (forwarded: Forwarded) => {
    logAttempt(log, forwarded);
    parts.onForwarded?.(forwarded);
  };
  const targets = httpTargets(config);
  const thread = targets.length === 0 ? null : new ForwardThread(targets, parts, report);
  const app = onConfirmed === undefined ? null : inProcess(config, onConfirmed, parts, report);
  const stopping = new AbortController();

  const plan = async (): Promise<void> => {
    try {
      await operations.outbox.plan({ targets: targetRules(config, { withApp: app !== null }) });
      if (stopping.signal.aborted) return;
      app?.start();
      thread?.post({ type: 'news' });
    } catch (error) {
      if (stopping.signal.aborted) return;
      log.error({ err: error }, 'the targets could not be taken over; it is tried again');
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
      thread?.post({ type: 'news' });
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
    onFault: (error) => log.error({ err: error }, 'the outbox could not be reached; it is tried again'),
  });
}

class ForwardThread {
  readonly #targets: readonly HttpTarget[];
  readonly #parts: ForwardingParts;
  readonly #report: (forwarded: Forwarded) => void;
  #secrets: ForwardData['secrets'];
  #thread: Worker;
  #restart: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(targets: readonly HttpTarget[], parts: ForwardingParts, report: (forwarded: Forwarded) => void) {
    this.#targets = targets;
    this.#parts = parts;
    this.#report = report;
    this.#secrets = plainSecrets(targets);
    this.#thread = this.#start();
  }

  post(message: ToForward): void {
    this.#thread.postMessage(message);
  }

  reload(targets: readonly HttpTarget[]): readonly string[] {
    const latest = plainSecrets(targets).filter(({ name }) => this.#secrets.some((own) => own.name === name));
    // A target that the configuration no longer names is served until the next start, with the secrets that it had.
    this.#secrets = this.#secrets.map((own) => latest.find(({ name }) => name === own.name) ?? own);
    this.post({ type: 'secrets', secrets: this.#secrets });
    return latest.map(({ name }) => name);
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restart);
    const thread = this.#thread;
    if (thread.threadId === -1) return; // it has ended
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    this.post({ type: 'stop', graceMs });
    const late = setTimeout(() => {
      this.#parts.log.warn('forwarding did not end in time; its rows are attempted again when their leases are over');
      thread.terminate();
    }, graceMs);
    await ended;
    clearTimeout(late);
  }

  #start(): Worker {
    const port = this.#parts.connectOperations();
    const targets = this.#targets.map(({ secrets: _, ...target }) => target);
    const thread = startThread('forward/thread', {
      workerData: { targets, secrets: this.#secrets, port } satisfies ForwardData,
      transferList: [port],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: OLD_MB },
    });
    const { log } = this.#parts;
    thread.on('message', (message: FromForward) => {
      if (message.type === 'forwarded') this.#report(message.forwarded);
      else
        log.error(
          { reason: message.message, hint: message.hint },
          'the outbox could not be reached; it is tried again',
        );
    });
    thread.on('error', (error) => log.error({ err: error }, 'the forwarding thread failed'));
    thread.on('exit', () => {
      if (this.#stopping) return;
      log.error({ afterMs: RESTART_MS }, 'the forwarding thread ended; it is started again');
      this.#restart = setTimeout(() => {
        this.#thread = this.#start();
      }, RESTART_MS);
    });
    return thread;
  }
}
