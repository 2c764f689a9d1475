import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MAY, mayAct, ROLES, UNENTERED_ACTS } from '../../../../src/domain/access/roles.ts';
import { ACTS, type ActName } from '../../../../src/domain/audit/acts.ts';
import { packageFile } from '../../../../src/package-root.ts';

/** Acts that the document leaves out: no person does them, or whoever is on the machine may. */
const NOT_BY_ROLE: readonly ActName[] = [
  ...(['statement.clear', 'run.follow', 'approval.rules'] as const),
  ...(['user.reset', 'user.password', 'user.recovery', 'user.oidc', 'user.sessions'] as const),
];

test('docs/cli.md says which roles may carry out which act', () => {
  const page = readFileSync(packageFile('docs/cli.md'), 'utf8');
  const section = page.slice(
    page.indexOf('\n## users list'),
    page.indexOf('\n## ', page.indexOf('\n## users list') + 1),
  );
  const said = [...section.matchAll(/^\| (`\w.*`) \| (`.*`) \|$/gm)].flatMap(([, acts = '', roles = '']) =>
    words(acts).map((act) => [act, words(roles)]),
  );
  const expected = ACTS.filter((act) => !NOT_BY_ROLE.includes(act)).map((act) => [act, [...MAY[act]]]);
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(expected));
});

test('a viewer may carry out nothing, and nobody what runs and jobs do alone', () => {
  const byAll = ACTS.filter((act) => mayAct(['viewer'], act));
  expect(byAll).toEqual(['user.reset', 'user.password', 'user.recovery', 'user.oidc', 'user.sessions']);
  expect(ACTS.filter((act) => !mayAct(ROLES, act))).toEqual(['statement.clear', 'run.follow', 'approval.rules']);
});

test('what is no entry of the audit is for these roles', () => {
  const roles = UNENTERED_ACTS.map((act) => [act, ROLES.filter((role) => mayAct([role], act))]);
  expect(Object.fromEntries(roles)).toEqual({
    ...{ login: ROLES, me: ROLES, read: ROLES, people: ['admin'], check: ['operator', 'finance', 'approver'] },
    ...{ sweep: ['operator'], 'job.run': ['operator'], 'alert.silence': ['operator'], 'outbox.retry': ['operator'] },
  });
});

test('nobody both resolves and approves by one role', () => {
  for (const role of ROLES)
    expect([mayAct([role], 'exception.resolve'), mayAct([role], 'exception.approve')]).not.toEqual([true, true]);
});

const words = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word as string);
