import { expect, test } from 'vitest';
import { wholeNextStep } from '../../../../src/domain/exceptions/same-difference.ts';

test('the next step of an exception that repeats one of the wallet names that one', () => {
  const nextStep = 'Ask the service.';
  expect(wholeNextStep({ nextStep, sameAs: null })).toBe(nextStep);
  expect(wholeNextStep({ nextStep, sameAs: 'x-7' })).toBe(
    'Ask the service. It is the same difference as x-7 of the wallet: resolve both alike; a claim counts there alone.',
  );
});
