import { expect, test } from 'vitest';
import { expectHarmless, IO_FAULTS, meetIoFault } from '../support/io-faults.ts';
import { MISTAKES, patchedProgram } from '../support/patched-program.ts';

const places = (process.env.TALLYHOOK_IO_FAULT_PLACES ?? '1,3,10,30,100,300').split(',').map(Number);

test.each(IO_FAULTS)(
  '$error of $call on log and database at each place: nothing acknowledged is lost',
  async ({ call, error }) => {
    for (const nth of places) {
      const figures = await meetIoFault(call, error, nth);
      console.info(JSON.stringify({ call, error, nth, ...figures }));
      expectHarmless(figures);
    }
  },
);

test('the proof can fail: an ack that leaves before the commit is lost with it', async () => {
  const program = patchedProgram(...MISTAKES['an ack that leaves before the commit']);
  const { lost } = await meetIoFault('pwrite64', 'ENOSPC', 60, program);
  expect(lost).toBeGreaterThan(0);
});
