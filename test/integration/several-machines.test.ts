import { afterEach, expect, test } from 'vitest';
import { refund } from '../support/deliveries.ts';
import { type SeveralMachines, severalMachines } from '../support/several-machines.ts';

let machines: SeveralMachines;
afterEach(() => machines.remove());

test('what one machine receives and writes, another one has: the files are equal', async () => {
  machines = await severalMachines();
  const [one, two] = [machines.machine('one'), machines.machine('two')];
  const inboxes = [await one.serve(), await two.serve()] as const;
  await Promise.all(inboxes.map((inbox, n) => inbox.keep(refund(`R${n}`, 'pending'))));
  await machines.carriedOut(one, two);
  const [{ operations }, other] = inboxes;
  const filter = { kinds: ['refund'], environments: ['test'] } as const;
  const leased = await operations.checks.lease({ filter, limit: 10, leaseMs: 60_000 });
  expect(leased.map(({ reference }) => reference).toSorted()).toEqual(['R0', 'R1']);
  expect(await other.operations.checks.lease({ filter, limit: 10, leaseMs: 60_000 })).toEqual([]);
  await machines.carriedOut(one, two);
  expect(machines.differences(one, two)).toEqual([]);
  expect([one.faults, two.faults]).toEqual([[], []]);
});
