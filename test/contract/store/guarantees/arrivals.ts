import { expect } from 'vitest';
import type { Archive } from '../../../../src/store/archive.ts';
import { type Cursor, walk } from '../../../../src/store/cursor.ts';
import { refund } from '../../../support/deliveries.ts';
import { names, receiveAll, walked } from '../following.ts';
import type { Guarantee } from '../world.ts';

/** Walks while events arrive. */
export const ARRIVALS: readonly Guarantee[] = [
  {
    guarantee: 'a walk ends at its end, whatever arrives during it',
    async prove(world) {
      await receiveAll(world, ...names(4));
      const archive = await world.there.archive();
      const until = await archive.eventEnd();
      const read = (stretch: Parameters<Archive['nextEvents']>[1]) => archive.nextEvents({}, stretch);
      const seen: string[] = [];
      for await (const { events } of walk(read, { after: null, until, limit: 1 })) {
        seen.push(...events.map(({ reference }) => reference));
        await receiveAll(world, `late ${seen.length}`);
      }
      expect(seen.toSorted()).toEqual(names(4));
    },
  },
  {
    guarantee: 'a place stays: a walk goes on behind it later, and in another process, with what has arrived since',
    async prove(world) {
      await receiveAll(world, ...names(5));
      const first = await world.here.archive();
      const { place } = await walked(first, await first.eventEnd());
      await receiveAll(world, ...names(5, 'L'));
      const second = await world.there.archive();
      const kept = await second.eventEnd();
      expect((await walked(second, kept, place)).references.toSorted()).toEqual(names(5, 'L'));
      await world.there.close();
      const third = await world.there.archive();
      expect((await walked(third, kept, place)).references.toSorted()).toEqual(names(5, 'L'));
    },
  },
  {
    guarantee: 'before the end every event has its effect, and once all are carried out it is the end of all',
    async prove(world) {
      const [inbox, archive] = [await world.here.inbox(), await world.there.archive()];
      await Promise.all(names(200).map((reference) => inbox.keep(refund(reference, 'pending'))));
      const { references } = await walked(archive, await archive.eventEnd());
      for (const reference of references) expect(await archive.record('refund', reference)).toHaveLength(1);
      await world.carriedOut();
      expect((await walked(archive, await archive.eventEnd())).references).toHaveLength(200);
    },
  },
  {
    guarantee: 'a reader that follows two receiving processes misses nothing and sees nothing twice',
    async prove(world) {
      const inboxes = [await world.here.inbox(), await world.there.inbox()];
      const archive = await world.another().archive();
      const seen: string[] = [];
      let place: Cursor | null = null;
      const follow = async () => {
        const step: Awaited<ReturnType<typeof walked>> = await walked(archive, await archive.eventEnd(), place);
        seen.push(...step.references);
        place = step.place;
      };
      let receiving = true;
      const keeping = names(200).map((reference, n) => inboxes[n % 2]?.keep(refund(reference, 'pending')));
      const all = Promise.all(keeping).finally(() => {
        receiving = false;
      });
      while (receiving) {
        await follow();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await all;
      await world.carriedOut();
      await follow();
      expect(seen.toSorted()).toEqual(names(200).toSorted());
    },
  },
];
