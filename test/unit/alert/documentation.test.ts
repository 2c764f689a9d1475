import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ALERT_CAUSES, STANDARD_SEVERITY } from '../../../src/domain/alerts/alert-cause.ts';
import { packageFile } from '../../../src/package-root.ts';

test('docs/operations.md has every cause with its severity, in their order', () => {
  const [, section = ''] = readFileSync(packageFile('docs/operations.md'), 'utf8').split('\n## Alerts\n');
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)` \| (\w+) \| \S.* \| \S.* \|$/gm)];
  expect(rows.map(([, cause, severity]) => [cause, severity])).toEqual(
    ALERT_CAUSES.map((cause) => [cause, STANDARD_SEVERITY[cause]]),
  );
});
