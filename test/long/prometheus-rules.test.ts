import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';

const RULES = packageFile('templates/deploy/prometheus-rules.yaml');
const promtool = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8' });

test('Prometheus takes the rules', { tags: ['promtool'] }, () => {
  const { status, stdout, stderr } = promtool('check', 'rules', RULES);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('11 rules found');
});

test('the rules fire when they should, and only then', { tags: ['promtool'] }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tallyhook-promtool-'));
  const file = join(folder, 'tests.yaml');
  writeFileSync(file, TESTS);
  const { status, stdout, stderr } = promtool('test', 'rules', file);
  rmSync(folder, { recursive: true });
  expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('SUCCESS')]);
});

const TESTS = `
rule_files: [${RULES}]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - {series: 'up{job="tallyhook",instance="a"}', values: '1x10 0x10'}
      - {series: 'tallyhook_deliveries_failed_total{job="tallyhook",instance="a",fault="disk_full"}', values: '0x10 2x10'}
      - {series: 'tallyhook_alerts_open{job="tallyhook",instance="a",cause="stuck",severity="warning"}', values: '0x3 1x20'}
      - {series: 'tallyhook_job_overdue{job="tallyhook",instance="a",exported_job="alerts"}', values: '0x10 1x20'}
    alert_rule_test:
      - {eval_time: 9m, alertname: TallyhookDown, exp_alerts: []}
      - eval_time: 15m
        alertname: TallyhookDown
        exp_alerts:
          - exp_labels: {severity: critical, job: tallyhook, instance: a}
            exp_annotations:
              summary: Tallyhook is not running
              description: "Every webhook is refused until it runs. Look: systemctl status tallyhook"
      - {eval_time: 9m, alertname: TallyhookDeliveriesNotKept, exp_alerts: []}
      - eval_time: 12m
        alertname: TallyhookDeliveriesNotKept
        exp_alerts:
          - exp_labels: {severity: critical, fault: disk_full}
            exp_annotations:
              summary: "Deliveries are not kept: disk_full"
              description: "They were answered 503; the sender may or may not try again. Look: tallyhook status"
      - {eval_time: 7m, alertname: TallyhookAlertOpen, exp_alerts: []}
      - eval_time: 10m
        alertname: TallyhookAlertOpen
        exp_alerts:
          - exp_labels: {severity: warning, cause: stuck}
            exp_annotations:
              summary: "Tallyhook alert: stuck"
              description: "What happened and what to do: tallyhook alerts"
      - {eval_time: 12m, alertname: TallyhookAlertsNotJudged, exp_alerts: []}
      - eval_time: 18m
        alertname: TallyhookAlertsNotJudged
        exp_alerts:
          - exp_labels: {severity: critical, job: tallyhook, instance: a, exported_job: alerts}
            exp_annotations:
              summary: Tallyhook does not judge its alerts
              description: "No alert is sent until this is mended. Look: tallyhook schedule list"
`;
