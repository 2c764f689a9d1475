import { copyFileSync, writeFileSync } from 'node:fs';
import { STANDARD_CHECK_RULES } from '../../../src/domain/checks/next-check.ts';
import { parseAmount } from '../../../src/domain/money/amount.ts';
import { openStore } from '../../../src/store/open.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { serviceAnswer } from '../service-answer.ts';
import { writesOf } from './written.ts';

// A process that makes a database, copies the empty file, and then writes a little of what each kind of mistake would change.
const [, , location = '', base = ''] = process.argv;
const options = { zone: 'UTC', checkRules: STANDARD_CHECK_RULES, clock: systemClock };
await (await openStore(location, options).operations({ create: true })).close();
copyFileSync(location, base);
writeFileSync(writesOf(location), '');

const { checks, tracking, jobs, statements, outbox, close } = await openStore(location, options).operations();
const rules = { environments: ['test'], kinds: ['refund'], when: 'confirmed', news: 'settled', events: null } as const;
await outbox.plan({ targets: ['shop', 'books'].map((name) => ({ name, ...rules })) });
const expected = {
  kind: 'refund',
  environment: 'test',
  amount: parseAmount('50.00'),
  currency: 'NGN',
  expectedByMs: null,
} as const;
await tracking.track({ expected: ['R1', 'R2'].map((reference) => ({ ...expected, reference })) });
const filter = { kinds: ['refund'], environments: ['test'] } as const;
const leased = await checks.lease({ filter, limit: 10, leaseMs: 60_000 });
await checks.finish(
  leased.map(({ counter, kind, recordId }, index) => {
    const check = { counter, kind, recordId, detail: null };
    if (index > 0) return { ...check, outcome: 'not_found', answer: null };
    return { ...check, outcome: 'answered', answer: serviceAnswer(kind, 'success') };
  }),
);
await jobs.begin({ job: 'sweep', holder: 'a test', leaseMs: 60_000 });
await statements.begin({
  account: { name: 'wallet', kind: 'wallet', environment: 'test' },
  file: { name: 'wallet.csv', sha256: 'a'.repeat(64), bytes: 100 },
  profile: { name: 'standard', digest: 'b'.repeat(64), text: 'name: standard\n' },
});
await close();
