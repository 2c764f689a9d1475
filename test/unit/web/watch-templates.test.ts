import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isCommand } from '../../../cli/overview.ts';
import { packageFile } from '../../../src/package-root.ts';
import { ownMetrics } from '../../support/own-metrics.ts';

/* The files that an operator gives to Prometheus and Grafana. promtool checks the rules in `test/long/`. */

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}

const read = (name: string) => readFileSync(packageFile('templates/deploy', name), 'utf8');
const groups = (parse(read('prometheus-rules.yaml')) as { groups: { name: string; rules: Rule[] }[] }).groups;
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('grafana-dashboard.json')) as { uid: string; schemaVersion: number; panels: Panel[] };
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** Labels that Prometheus itself gives. */
const GIVEN = new Set(['job', 'instance', 'exported_job', 'le']);

test.each([
  ['prometheus-rules.yaml', rules.map(({ expr }) => expr)],
  ['grafana-dashboard.json', queries],
])('%s asks for metrics, labels and values that there are', async (_, expressions) => {
  const metrics = new Map((await ownMetrics()).map((metric) => [metric.name, metric]));
  const used = expressions.flatMap((expr) => [...expr.matchAll(/\b(tallyhook_\w+)(?:\{([^}]*)\})?/g)]);
  expect(used.length).toBeGreaterThan(8);
  const wrong = used.flatMap(([text, written = '', selector = '']) => {
    const metric = metrics.get(written) ?? metrics.get(written.replace(/_(bucket|sum|count)$/, ''));
    if (metric === undefined) return [text];
    const labels = [...selector.matchAll(/(\w+)=~?"([^"]*)"/g)];
    return labels.flatMap(([label, name = '', value = '']) =>
      GIVEN.has(name) || metric.labels.get(name)?.has(value) ? [] : [`${written}: ${label}`],
    );
  });
  expect(wrong).toEqual([]);
});

test('every rule has a name of its own, a severity, a summary and what to do; its commands exist', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, labels, annotations } of rules) {
    expect(alert).toMatch(/^Tallyhook[A-Z]\w+$/);
    expect(labels.severity).toMatch(/^(critical|warning|\{\{ \$labels\.severity \}\})$/);
    expect(annotations.summary).toMatch(/Tallyhook|Deliveries/);
    for (const [, command = ''] of annotations.description.matchAll(/\btallyhook ([a-z]+)/g))
      expect(isCommand(command)).toBe(true);
  }
});

test('the panels of the dashboard have ids of their own, lie in the grid, and none covers another', () => {
  const { panels } = dashboard;
  expect(panels.length).toBeGreaterThan(20);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const places = new Set<string>();
  for (const { title, gridPos } of panels) {
    const { x, y, w, h } = gridPos;
    expect([title, x >= 0 && w > 0 && x + w <= 24]).toEqual([title, true]);
    for (let column = x; column < x + w; column++)
      for (let line = y; line < y + h; line++) {
        expect([title, places.has(`${column} ${line}`)]).toEqual([title, false]);
        places.add(`${column} ${line}`);
      }
  }
});

test('every panel asks with ids of its own, and for the chosen job and instance', () => {
  for (const { title, type, targets = [] } of dashboard.panels) {
    if (type === 'row') continue;
    expect([title, targets.length > 0]).toEqual([title, true]);
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    for (const { expr } of targets) expect(expr).toContain('job="$job",instance=~"$instance"');
  }
});
