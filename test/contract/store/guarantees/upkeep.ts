import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { refund } from '../../../support/deliveries.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { allBodies } from '../../../support/walking.ts';
import type { Handle } from '../handle.ts';
import type { Guarantee, World } from '../world.ts';

const everything = async (handle: Handle) => {
  const archive = await handle.archive();
  return [await allBodies(archive), await archive.records('refund', {}, { limit: 10_000, order: 'oldest' })];
};

/** The upkeep of a database as a whole. */
export const UPKEEP: readonly Guarantee[] = [
  {
    guarantee: 'a missing database is named as such, and is made only where that is asked for',
    async prove(world) {
      const store = world.store(world.elsewhere);
      const missing = { name: 'StoreError', fault: 'no_database' };
      await expect(store.archive()).rejects.toMatchObject(missing);
      await expect(store.operations()).rejects.toMatchObject(missing);
      await expect(store.upkeep.migrate()).rejects.toMatchObject(missing);
      const operations = await store.operations({ create: true });
      expect(await operations.jobs.states()).toEqual([]);
      await operations.close();
      const archive = await store.archive();
      expect((await archive.stats()).events).toBe(0);
      await archive.close();
    },
  },
  {
    guarantee: 'of processes that make one database at the same time, all find it made',
    async prove(world) {
      const stores = Array.from({ length: 3 }, () => world.store(world.elsewhere));
      const opened = await Promise.all(stores.map((store) => store.operations({ create: true })));
      const proof = { environment: 'test', endpoint: 'payout' } as const;
      for (const { checks } of opened) await checks.prove(proof);
      expect(await opened[0]?.checks.proven('test')).toEqual(['payout']);
      for (const operations of opened) await operations.close();
    },
  },
  {
    guarantee: 'a database that is up to date is migrated by doing nothing, in use or not',
    ownTime: true, // where a log gives the time, it says when the schema moves on, too
    async prove(world) {
      const { upkeep } = world.there.store;
      const migrated = await upkeep.migrate();
      expect(migrated.applied).toEqual([]);
      expect((await (await world.here.archive()).stats()).schemaVersion).toBe(migrated.schemaVersion);
    },
  },
  {
    guarantee: 'an examination of a sound database finds no failure, beside a receiving process',
    async prove(world) {
      await world.receive(refund('R1', 'pending'));
      const found = await world.there.store.upkeep.examine({ deep: true });
      expect(found.length).toBeGreaterThan(3);
      expect(found.filter(({ status }) => status === 'failed')).toEqual([]);
    },
  },
  {
    guarantee: 'a backup during receiving holds everything that was acknowledged before it began',
    restores: true,
    async prove(world) {
      const inbox = await world.here.inbox();
      const acknowledged: string[] = [];
      const keepAll = (prefix: string) =>
        Array.from({ length: 300 }, async (_, n) => {
          await inbox.keep(refund(`${prefix}${n}`, 'pending'));
          acknowledged.push(`${prefix}${n}`);
        });
      await Promise.all(keepAll('before'));
      const meanwhile = keepAll('meanwhile');
      await meanwhile[20];
      const before = [...acknowledged];
      const file = join(world.folder, 'backup');
      const backup = await world.there.store.upkeep.backUp(file, { force: false });
      await Promise.all(meanwhile);
      expect(backup).toMatchObject({ file, bytes: statSync(file).size, lastReceivedAtMs: START_MS });
      await Promise.all([world.here.close(), world.there.close()]);
      expect((await world.there.store.upkeep.restore(file)).contents.events).toBe(backup.events);
      const restored = (await allBodies(await world.there.archive())).map(({ reference }) => reference);
      expect(restored).toHaveLength(backup.events);
      expect(before.filter((reference) => !restored.includes(reference))).toEqual([]);
    },
  },
  {
    guarantee: 'an existing file is no place for a backup, unless it is to be replaced',
    restores: true,
    async prove(world) {
      const { file, upkeep } = await backedUp(world);
      await expect(upkeep.backUp(file, { force: false })).rejects.toThrow(/exists already/);
      expect((await upkeep.planRestore(file)).contents.events).toBe(1);
      expect(await upkeep.backUp(file, { force: true })).toMatchObject({ events: 2 });
    },
  },
  {
    guarantee: 'a series keeps its newest backups and deletes the oldest',
    async prove(world) {
      await world.receive(refund('R1', 'pending'));
      const series = { folder: join(world.folder, 'series'), keep: 2 };
      const { signal } = new AbortController();
      const deleted: number[] = [];
      for (let n = 0; n < 3; n++) {
        world.clock.ms += 60_000;
        const backup = await world.there.store.upkeep.backUpInSeries(series, signal);
        expect([backup.events, existsSync(backup.file)]).toEqual([1, true]);
        deleted.push(backup.deleted);
      }
      expect([deleted, readdirSync(series.folder).length]).toEqual([[0, 0, 1], 2]);
    },
  },
  {
    guarantee: 'restore is refused while a process receives, and changes nothing',
    restores: true,
    async prove(world) {
      const { file, upkeep } = await backedUp(world);
      const before = await everything(world.here);
      await expect(upkeep.restore(file)).rejects.toMatchObject({ fault: 'locked', kind: 'unavailable' });
      expect(await everything(world.here)).toEqual(before);
      expect(await world.receive(refund('R3', 'pending'))).toMatchObject([{ duplicate: false }]);
    },
  },
  {
    guarantee: 'restore brings back what the backup holds, says so before, and sets the present database aside',
    restores: true,
    replaces: true,
    async prove(world) {
      await world.receive(refund('R1', 'pending'), refund('R1', 'pending', { data: { amount: '51.00' } }));
      const file = join(world.folder, 'backup');
      const wanted = await everything(world.here);
      await world.here.store.upkeep.backUp(file, { force: false });
      await world.receive(refund('R2', 'pending'));
      await world.here.close();
      const { upkeep } = world.there.store;
      const plan = await upkeep.planRestore(file);
      expect(plan.contents).toMatchObject({ events: 1, lastReceivedAtMs: START_MS });
      expect(plan.setAside).not.toBeNull();
      expect(await upkeep.restore(file)).toEqual(plan);
      expect(await everything(world.there)).toEqual(wanted);
      expect(await world.receive(refund('R1', 'pending'))).toMatchObject([{ duplicate: true }]);
    },
  },
];

/** Backs up a store with the event R1, and then receives R2. */
async function backedUp(world: World) {
  await world.receive(refund('R1', 'pending'));
  const file = join(world.folder, 'backup');
  const { upkeep } = world.there.store;
  await upkeep.backUp(file, { force: false });
  await world.receive(refund('R2', 'pending'));
  return { file, upkeep };
}
