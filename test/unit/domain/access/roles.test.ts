import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MAY, mayAct, type PersonAct, ROLES, UNENTERED_ACTS } from '../../../../src/domain/access/roles.ts';
import { ACTS } from '../../../../src/domain/audit/acts.ts';
import { packageFile } from '../../../../src/package-root.ts';

/** Acts that the document leaves out: no person does them, a person on the machine may, or they are of the dashboard alone. */
const NOT_BY_ROLE: readonly PersonAct[] = [
  ...(['login', 'me', 'read', 'people'] as const),
  ...(['statement.clear', 'run.follow', 'approval.rules'] as const),
  ...(['user.reset', 'user.password', 'user.recovery', 'user.oidc', 'user.sessions'] as const),
];

test('docs/cli.md says which roles may carry out which act', () => {
  const page = readFileSync(packageFile('docs/cli.md'), 'utf8');
  const section = page.slice(
    page.indexOf('\n## users list'),
    page.indexOf('\n## ', page.indexOf('\n## users list') + 1),
  );
  const said = [...section.matchAll(/^\| (`\w.*) \| (`.*`) \|$/gm)].flatMap(([, acts = '', roles = '']) =>
    words(acts.replace(/\([^)]*\)/g, '')).map((act) => [act, words(roles)]),
  );
  const acts = [...ACTS, ...UNENTERED_ACTS].filter((act) => !NOT_BY_ROLE.includes(act));
  const expected = acts.map((act) => [act, [...MAY[act]]]);
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(expected));
});

test('a viewer may carry out nothing, and no role what runs and jobs do alone', () => {
  const byAll = ACTS.filter((act) => mayAct(['viewer'], act));
  expect(byAll).toEqual(['user.reset', 'user.password', 'user.recovery', 'user.oidc', 'user.sessions']);
  expect(ACTS.filter((act) => !mayAct(ROLES, act))).toEqual(['statement.clear', 'run.follow', 'approval.rules']);
});

test('what is no entry of the audit is for these roles', () => {
  const roles = UNENTERED_ACTS.map((act) => [act, ROLES.filter((role) => mayAct([role], act))]);
  expect(Object.fromEntries(roles)).toEqual({
    ...{ login: ROLES, me: ROLES, read: ROLES, people: ['admin'], check: ['operator', 'finance', 'approver'] },
    ...{ sweep: ['operator'], 'job.run': ['operator'], 'alert.silence': ['operator'], 'outbox.retry': ['operator'] },
    ...{ backfill: ['operator'], 'alert.test': ['operator'], 'target.test': ['operator'] },
    ...{ request: ['operator', 'finance'], track: ['operator', 'finance'] },
  });
});

test('no role both resolves and approves', () => {
  for (const role of ROLES)
    expect([mayAct([role], 'exception.resolve'), mayAct([role], 'exception.approve')]).not.toEqual([true, true]);
});

const words = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word as string);
