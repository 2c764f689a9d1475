import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Archive } from '../../../src/store/archive.ts';
import type { Delivery } from '../../../src/store/inbox.ts';
import type { Operations } from '../../../src/store/operations.ts';
import type { OpenInbox, Store } from '../../../src/store/store.ts';
import type { Engine } from './engines.ts';
import { type EndRule, walksOverIds } from './late-commits.ts';

/* Engines with one fault each, made of a right one by changing what its port does. */

/** Turns of the event loop that a late transaction stays open after those beside it. */
const LATE_TURNS = 50;

/**
 * An engine whose transactions commit their ids out of order: every third delivery is seen by readers only after those
 * that came with it. By `rule` its cursors are right or wrong.
 */
export function lateCommits(engine: Engine, rule: EndRule): Engine {
  const worlds = new Map<string, { readonly committed: Set<string>; begun: number; early: number }>();

  function open(location: string, options: Parameters<Engine['open']>[1]): Store {
    const store = engine.open(location, options);
    const shared = worlds.get(location) ?? { committed: new Set(), begun: 0, early: 0 };
    worlds.set(location, shared);
    let archive: Promise<Archive> | undefined;

    /** Resolves when a delivery is carried out. */
    async function isThere(reference: string): Promise<void> {
      archive ??= store.archive();
      const found = await archive;
      while ((await found.events({ reference }, { limit: 1, order: 'newest' })).length === 0) await nextTurn();
    }

    function lateInbox(inbox: OpenInbox): OpenInbox {
      return changed(inbox, {
        async keep(delivery) {
          const isLate = shared.begun++ % 3 === 0; // not the same as every second one, which may all be of one process
          if (!isLate) shared.early++;
          await inbox.keep(delivery);
          await isThere(referenceOf(delivery));
          if (isLate) {
            while (shared.early > 0) await nextTurn();
            for (let turn = 0; turn < LATE_TURNS; turn++) await nextTurn();
          } else shared.early--;
          shared.committed.add(referenceOf(delivery));
        },
      });
    }

    function lateArchive(archive: Archive): Archive {
      const page = { limit: 100_000, order: 'oldest' } as const;
      const ids = async () => {
        const events = await archive.events({}, page);
        return new Set(events.filter(({ reference }) => shared.committed.has(reference)).map(({ id }) => id));
      };
      const walks = walksOverIds(rule, ids, async (filter, afterId, untilId, limit) => {
        const events = await archive.events(filter, { ...page, afterId });
        return events.filter(({ id, reference }) => id <= untilId && shared.committed.has(reference)).slice(0, limit);
      });
      return changed(archive, walks);
    }

    return changed(store, {
      inbox: async (order) => lateInbox(await store.inbox(order)),
      archive: async () => lateArchive(await store.archive()),
    });
  }
  return { ...engine, name: `${engine.name} with late commits and ends ${rule}`, open };
}

/** Of the claims that receive, each delivery is an event of its own. */
function referenceOf({ body }: Delivery): string {
  const { data } = JSON.parse(Buffer.from(body).toString());
  return data.refund_reference ?? data.reference;
}

/** An engine with a clock of its own: it ignores the time that the test sets. */
export function ownClock(engine: Engine): Engine {
  const open: Engine['open'] = (location, { clock: _ignored, ...options }) => engine.open(location, options);
  return { ...engine, name: `${engine.name} with a clock of its own`, open };
}

/** An engine without locks: a call that begins while another is under way reads the same, and its own write is lost. */
export function lostLock(engine: Engine): Engine {
  const underWay = new Map<string, Promise<unknown>>();

  /** `call`, whose result is that of the call under way when there is one. */
  function unlocked<Input, Result>(name: string, call: (input: Input) => Promise<Result>) {
    return (input: Input): Promise<Result> => {
      const running = underWay.get(name) ?? call(input).finally(() => underWay.delete(name));
      underWay.set(name, running);
      return running as Promise<Result>;
    };
  }

  function open(location: string, options: Parameters<Engine['open']>[1]): Store {
    const store = engine.open(location, options);
    const unlockedOperations = <Some extends Operations>(operations: Some): Some => {
      const { checks, jobs, backfills, statements, runs } = operations;
      return changed<Operations>(operations, {
        checks: changed(checks, { lease: unlocked(`${location} lease`, checks.lease) }),
        jobs: changed(jobs, { leaseDue: unlocked(`${location} job`, jobs.leaseDue) }),
        backfills: changed(backfills, { record: unlocked(`${location} record`, backfills.record) }),
        statements: changed(statements, { begin: unlocked(`${location} begin`, statements.begin) }),
        runs: changed(runs, { beginRun: unlocked(`${location} run`, runs.beginRun) }),
      }) as Some;
    };
    return changed(store, { operations: async (order) => unlockedOperations(await store.operations(order)) });
  }
  return { ...engine, name: `${engine.name} without locks`, open };
}

/** The same object with some of its members replaced; the others stay bound to it. */
function changed<Whole extends object>(whole: Whole, members: Partial<Whole>): Whole {
  return new Proxy(whole, {
    get(target, name) {
      if (Object.hasOwn(members, name)) return members[name as keyof Whole];
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
