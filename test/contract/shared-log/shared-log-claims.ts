import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  CHAIN_START,
  chainOf,
  type KnownLog,
  type NewEntry,
  type NodeFacts,
  type SharedLog,
  type SharedLogUpkeep,
} from '../../../src/store/cluster/shared-log.ts';

/** A log that a test begins with: empty, begun, and its own. */
export interface LogPlaceToProve {
  open(name: string, known?: KnownLog | null, evenLeft?: boolean): Promise<SharedLog>;
  upkeep(): Promise<SharedLogUpkeep>;
  remove(): Promise<void>;
}

/** An entry with so many bytes. */
export function newEntry(bytes = 10, version = 'one'): NewEntry {
  return { id: randomBytes(16).toString('hex'), version, bytes: new Uint8Array(randomBytes(bytes)) };
}

const START = { seq: 0, chain: CHAIN_START };
const MUCH = 1024 * 1024;

const facts = (id: string, name: string): NodeFacts => ({
  ...{ id, name, version: 'one', schema: 1, roles: ['receive', 'work'], carriedOut: 0, keys: ['k1'] },
  ...{ auditKey: null, stopped: null },
});

/** What every implementation of the shared log does. */
export function proveSharedLog(make: () => Promise<LogPlaceToProve>): void {
  const proved = (claim: string, prove: (place: LogPlaceToProve) => Promise<void>) =>
    test(claim, async () => {
      const place = await make();
      try {
        await prove(place);
      } finally {
        await place.remove();
      }
    });

  proved('entries of several machines get 1, 2, 3 … and a chain that anyone can compute', async (place) => {
    const [one, two] = [await place.open('one'), await place.open('two')];
    const appends = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : two).append([newEntry(), newEntry()]));
    const places = (await Promise.all(appends)).flatMap(({ entries }) => entries.map(({ seq }) => seq));
    expect(places.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
    const read = await one.read(START, MUCH);
    expect(read.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
    let chain: Uint8Array = CHAIN_START;
    let atMs = 0;
    for (const entry of read) {
      chain = chainOf(chain, entry);
      expect(Buffer.from(entry.chain)).toEqual(Buffer.from(chain));
      expect(entry.atMs).toBeGreaterThanOrEqual(atMs);
      atMs = entry.atMs;
    }
    expect(new Set(read.map(({ node }) => node))).toEqual(new Set(['one', 'two']));
    const head = await two.head();
    expect([head.seq, Buffer.from(head.chain), head.atMs]).toEqual([40, Buffer.from(chain), atMs]);
    await Promise.all([one.close(), two.close()]);
  });

  proved('an append whose answer never came is looked up by its ids: nothing is in the log twice', async (place) => {
    const log = await place.open('one');
    const [first, second, third] = [newEntry(), newEntry(), newEntry()];
    const before = await log.append([first, second]);
    const again = await log.append([first, second, third]);
    expect(again.entries.slice(0, 2)).toEqual(before.entries);
    expect((await log.read(START, MUCH)).map(({ id }) => id)).toEqual([first.id, second.id, third.id]);
    await log.close();
  });

  proved('a reader goes on behind its place, one entry at least, and no more than it asks for', async (place) => {
    const log = await place.open('one');
    await log.append([newEntry(1_000), newEntry(1_000), newEntry(1_000)]);
    const [first, ...others] = await log.read(START, 1);
    expect([first?.seq, others.length]).toEqual([1, 0]);
    const rest = await log.read({ seq: 1, chain: first?.chain as Uint8Array }, MUCH);
    expect(rest.map(({ seq }) => seq)).toEqual([2, 3]);
    expect(await log.read({ seq: 3, chain: rest[1]?.chain as Uint8Array }, MUCH)).toEqual([]);
    await log.close();
  });

  proved('a place that the log does not have is refused, ahead of it and beside it', async (place) => {
    const log = await place.open('one');
    await log.append([newEntry()]);
    await expect(log.read({ seq: 1, chain: new Uint8Array(32).fill(1) }, MUCH)).rejects.toMatchObject({
      fault: 'beside_log',
    });
    await expect(log.read({ seq: 2, chain: new Uint8Array(32).fill(1) }, MUCH)).rejects.toMatchObject({
      fault: 'beside_log',
    });
    expect([await log.chainAt(0), await log.chainAt(2)]).toEqual([CHAIN_START, null]);
    await log.close();
  });

  proved('the version of the newest append that says one is in the head', async (place) => {
    const log = await place.open('one');
    await log.append([newEntry(10, 'two')], { version: 'two' });
    await log.append([newEntry(10, 'two')]);
    expect((await log.head()).version).toBe('two');
    await log.close();
  });

  proved('a name is of one node with a database; after it signed off another takes it', async (place) => {
    const [one, other] = [await place.open('name'), await place.open('name')];
    await one.seen(facts('a'.repeat(32), 'name'));
    await one.seen(facts('a'.repeat(32), 'name'));
    await expect(other.seen(facts('b'.repeat(32), 'name'))).rejects.toMatchObject({ fault: 'cluster_refused' });
    await one.signOff('a'.repeat(32));
    await other.seen(facts('b'.repeat(32), 'name'));
    const { nodes } = await other.status();
    expect(nodes.filter(({ lives }) => lives).map(({ id }) => id)).toEqual(['b'.repeat(32)]);
    await Promise.all([one.close(), other.close()]);
  });

  proved(
    'a log that was left takes nothing more, also of those that have it open, opens only to look, and is left by no second node',
    async (place) => {
      const [open, late] = [await place.open('one'), await place.open('two')];
      await open.append([newEntry()]);
      await open.seen(facts('a'.repeat(32), 'one'));
      const upkeep = await place.upkeep();
      await upkeep.leave('a'.repeat(32));
      await upkeep.leave('a'.repeat(32)); // it was cut short, and is run again
      await open.signOff('a'.repeat(32));
      await expect(upkeep.leave('b'.repeat(32))).rejects.toMatchObject({
        ...{ fault: 'cluster_refused', message: expect.stringContaining('The node one left the log') },
      });
      await upkeep.close();
      for (const log of [open, late]) {
        await expect(log.seen(facts('a'.repeat(32), 'one'))).rejects.toMatchObject({ fault: 'cluster_refused' });
        await expect(log.append([newEntry()])).rejects.toMatchObject({
          message: expect.stringContaining('left the log'),
        });
        await expect(log.read(START, MUCH)).rejects.toMatchObject({ fault: 'cluster_refused' });
        await expect(log.newestSnapshot()).rejects.toMatchObject({ fault: 'cluster_refused' });
      }
      const looking = await place.open('one', null, true);
      expect([(await looking.read(START, MUCH)).length, (await looking.head()).hasLeft]).toEqual([1, true]);
      expect((await looking.status()).head.hasLeft).toBe(true);
      await Promise.all([open.close(), late.close(), looking.close()]);
    },
  );

  proved('digests of nodes at one place, each node once', async (place) => {
    const log = await place.open('one');
    await log.append([newEntry()]);
    const digest = (byte: number) => new Uint8Array(32).fill(byte);
    await log.putDigest({ seq: 1, node: 'one', digest: digest(1) });
    await log.putDigest({ seq: 1, node: 'two', digest: digest(1) });
    await log.putDigest({ seq: 1, node: 'two', digest: digest(2) });
    const found = (await log.digestsAt(1)).map(({ node, digest: [byte] }) => [node, byte]);
    expect(found.toSorted()).toEqual([
      ['one', 1],
      ['two', 2],
    ]);
    expect(await log.digestsAt(2)).toEqual([]);
    await log.close();
  });

  proved('a snapshot comes back in the bytes that were put in, and only whole', async (place) => {
    const log = await place.open('one');
    await log.append([newEntry()]);
    const { seq, chain, epoch } = await log.head();
    const about = { seq, chain, epoch, node: 'one', version: 'one', schema: 1 };
    expect(await log.newestSnapshot()).toBeNull();
    const parts = [randomBytes(500_000), randomBytes(1_000_000), randomBytes(3)];
    async function* cutOff() {
      yield parts[0] as Buffer;
      throw new Error('the disk failed');
    }
    await expect(log.putSnapshot(about, cutOff())).rejects.toThrow('the disk failed');
    expect(await log.newestSnapshot()).toBeNull();
    await log.putSnapshot(about, parts);
    const snapshot = await log.newestSnapshot();
    expect(snapshot).toMatchObject({ seq: 1, node: 'one', version: 'one', schema: 1 });
    const read: Uint8Array[] = [];
    if (snapshot !== null) for await (const part of log.snapshotParts(snapshot)) read.push(part);
    expect(Buffer.concat(read).equals(Buffer.concat(parts))).toBe(true);
    await log.putSnapshot({ ...about, chain: new Uint8Array(32).fill(1) }, parts); // of a history that a failover lost
    expect((await log.newestSnapshot())?.id).toBe(snapshot?.id);
    const second = await log.putSnapshot(about, parts);
    expect(await log.newestSnapshot(second)).toEqual(snapshot);
    expect(await log.newestSnapshot(snapshot ?? undefined)).toBeNull();
    await log.close();
  });

  proved(
    'a new epoch is followed by those whose place the log has; another history, and another installation, are refused',
    async (place) => {
      const log = await place.open('one');
      await log.append([newEntry()]);
      const { installation, epoch, timeline, seq, chain } = await log.head();
      await log.close();
      const upkeep = await place.upkeep();
      await upkeep.raiseEpoch('a'.repeat(32));
      await upkeep.close();
      const known = { installation, epoch, timeline, place: { seq, chain } };
      const old = await place.open('one', known);
      expect(await old.read({ seq, chain }, MUCH)).toEqual([]);
      await old.append([newEntry()]);
      await old.close();
      const beside = { seq, chain: new Uint8Array(32).fill(1) };
      const lost = await place.open('one', { ...known, place: beside });
      await expect(lost.append([newEntry()])).rejects.toMatchObject({ fault: 'beside_log' });
      await lost.close();
      const other = await place.open('two', { ...known, installation: 'of another' });
      await expect(other.read({ seq, chain }, MUCH)).rejects.toMatchObject({ fault: 'cluster_refused' });
      await other.close();
    },
  );
}
