import { expect, test } from 'vitest';
import { STEPS, stateAfter } from '../../../../src/domain/exceptions/transitions.ts';
import { EXCEPTION_STATES, type ExceptionState } from '../../../../src/domain/exceptions/words.ts';

/** The states after assign, unassign, resolve, approve, reopen, gone, changed, returned, carried, carried again; `-` is refused. */
const TABLE: Readonly<Record<ExceptionState, string>> = {
  open: 'assigned - resolved - - closed - - - resolved',
  reopened: 'assigned - resolved - - closed - - - -',
  assigned: '- open resolved - - closed - - - resolved',
  resolved: '- - - resolved reopened closed reopened - open -',
  closed: '- - - - - - - reopened - -',
};

test.each(EXCEPTION_STATES)('the state after each step of one that is %s', (state) => {
  expect(STEPS.map((step) => stateAfter(state, step) ?? '-').join(' ')).toBe(TABLE[state]);
});
