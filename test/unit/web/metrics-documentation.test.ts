import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../../src/package-root.ts';
import { ownMetrics } from '../../support/own-metrics.ts';

const [, section = ''] = readFileSync(packageFile('docs/operations.md'), 'utf8').split('\n## Watch\n');
const rows = [
  ...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(tallyhook_\w+)(?:\{(\w+)="(\w+)"\})?` \| (.+) \|$/gm),
];

test('the table of metrics has every metric that is shown, and no other', async () => {
  const shown = (await ownMetrics()).map(({ name }) => name);
  expect(shown.length).toBeGreaterThan(30);
  expect([...new Set(rows.map(([, name]) => name))].toSorted()).toEqual(shown.toSorted());
});

test('a label that it names is one of the metric, with that value', async () => {
  const metrics = new Map((await ownMetrics()).map((metric) => [metric.name, metric]));
  const wrong = rows.flatMap(([row, name = '', label, value = '']) => {
    if (label === undefined) return [];
    const values = metrics.get(name)?.labels.get(label);
    return values?.has(value) || LATER.includes(`${name} ${value}`) ? [] : [row];
  });
  expect(wrong).toEqual([]);
});

/** Values that are there once a job has run. */
const LATER = ['tallyhook_job_left sweep', 'tallyhook_job_left health'];
