import { expect, test } from 'vitest';
import { RefusedActError } from '../../../../src/domain/persons/refused-act.ts';

test('a refused act says why in one word for programs, and what to do where that is known', () => {
  const error = new RefusedActError('The period is closed.', {
    kind: 'unavailable',
    reason: 'closed',
    hint: 'Reopen it.',
  });
  expect(error).toMatchObject({
    name: 'RefusedActError',
    message: 'The period is closed.',
    kind: 'unavailable',
    reason: 'closed',
    hint: 'Reopen it.',
  });
  const { hint } = new RefusedActError('No.', { kind: 'usage', reason: 'self', hint: null });
  expect(hint).toBeUndefined();
});
