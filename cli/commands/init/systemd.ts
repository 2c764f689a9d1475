import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Config } from '../../../src/config/load.ts';
import { JOB_NAMES, type JobName } from '../../../src/domain/jobs/job.ts';
import { packageFile } from '../../../src/package-root.ts';
import { UsageError } from '../../options/options.ts';
import {
  type Deployment,
  fill,
  openFiles,
  proxyLimitBytes,
  refusePaths,
  replaceLine,
  siteOf,
  stopSeconds,
  type Target,
  withAuditKey,
  writtenFolders,
} from './deployment.ts';

// `init --deploy systemd`: units with their sockets, timers and a crontab for those who want them, and two proxies to choose from.

/** From the one copy beside the launcher, which a package keeps outside its compiled code. */
const { ENVIRONMENT, V8_FLAGS }: typeof import('../../runtime.js') = await import(
  pathToFileURL(packageFile('cli/runtime.js')).href
);

/** The system user that runs `serve`; also the name of its unit, and of its folder in /var/lib. */
export const SERVICE_USER = 'tallyhook';
const STATE = `/var/lib/${SERVICE_USER}`;
const DATABASE = `${STATE}/tallyhook.db`;

/** Folders that ProtectHome and PrivateTmp hide from the service. */
const HIDDEN = ['/home', '/root', '/run/user', '/tmp', '/var/tmp'];

/** When each job runs, for the timers and for cron: as `schedule` has it by default. */
const CALENDARS = {
  sweep: { calendar: 'minutely', cron: '* * * * *' },
  backfill: { calendar: '*:17', cron: '17 * * * *' },
  health: { calendar: '*:0/15', cron: '*/15 * * * *' },
  alerts: { calendar: 'minutely', cron: '* * * * *' },
  backup: { calendar: '02:30', cron: '30 2 * * *' },
  prune: { calendar: '03:15', cron: '15 3 * * *' },
  reconcile: { calendar: '06:30', cron: '30 6 * * *' },
  report: { calendar: '07:00', cron: '0 7 * * *' },
} as const satisfies Record<JobName, { calendar: string; cron: string }>;

const SOCKETS = ['tallyhook-receiver.socket', 'tallyhook-admin.socket'] as const;
const PROXIES = ['nginx.conf', 'Caddyfile'] as const;
const timerOf = (job: JobName) => `jobs/tallyhook-${job}.timer`;

export const systemd: Deployment = {
  defaultFolder: '/etc/tallyhook',
  configFolder: (folder) => folder,
  // A group reads both: that of the service, once the folder is given to it.
  fileMode: 0o640,
  folderMode: 0o750,
  owner: () => undefined,
  database: DATABASE,
  adapt: (text) =>
    replaceLine(
      replaceLine(withAuditKey(text, STATE), 'database: ./data/tallyhook.db', `database: ${DATABASE}`),
      '  # trustProxy: [127.0.0.1]       #',
      '  trustProxy: [127.0.0.1]         #',
    ),
  newAdminToken: () => null,
  names: [
    'tallyhook.service',
    ...SOCKETS,
    ...PROXIES,
    'jobs/tallyhook-job@.service',
    ...JOB_NAMES.map(timerOf),
    'jobs/crontab',
  ],
  files: (config, target) => systemdFiles(config, target, thesePrograms()),
  steps({ folder, address, databaseGroup }) {
    const units = ['tallyhook.service', ...SOCKETS].map((unit) => `${folder}/${unit}`);
    return [
      ...(databaseGroup === null ? [] : [`groupadd --force ${databaseGroup}`]),
      `id ${SERVICE_USER} || useradd --system --user-group --home-dir ${STATE} --shell /usr/sbin/nologin ${SERVICE_USER}`,
      `chown -R root:${SERVICE_USER} ${folder}`,
      `install -m 644 ${units.join(' ')} /etc/systemd/system/`,
      'systemctl daemon-reload && systemctl enable --now tallyhook',
      // Before the block: nginx refuses one whose certificate does not exist.
      `certbot certonly --nginx -d ${address.name}`,
      `install -m 644 ${folder}/nginx.conf /etc/nginx/conf.d/tallyhook.conf`,
      'nginx -t && systemctl reload nginx',
      'set alerts.webhook or alerts.mail, schedule.backup and schedule.backupFolder in tallyhook.yaml (the unit names that folder in ReadWritePaths), then: systemctl restart tallyhook',
      `install -m 644 ${folder}/jobs/tallyhook-job@.service ${folder}/${timerOf('alerts')} /etc/systemd/system/`,
      'systemctl daemon-reload && systemctl enable --now tallyhook-alerts.timer',
      `runuser -u ${SERVICE_USER} -- tallyhook alerts test --config ${folder}/tallyhook.yaml`,
    ];
  },
};

/** Programs that the units start. */
export interface Programs {
  readonly node: string;
  readonly launcher: string;
}

/** The files by their path below the folder. */
export function systemdFiles(config: Config, target: Target, programs: Programs): Record<string, string> {
  const { folder, file, address, otherReceivers, databaseGroup } = target;
  const written = writtenFolders(config);
  refusePaths([...Object.values(programs), folder, file, ...written]);
  refuseHidden([...Object.values(programs), folder, ...written]);
  const { receiver, admin, schedule } = config;
  const account = {
    ...programs,
    config: file,
    user: SERVICE_USER,
    group: databaseGroup ?? SERVICE_USER,
    isShared: databaseGroup !== null,
    writablePaths: [...new Set(written.filter((each) => each !== STATE && !each.startsWith(`${STATE}/`)))],
  };
  const proxy = {
    ...address,
    site: siteOf(address),
    receivers: [addressOf(receiver, 'receiver'), ...otherReceivers],
    proxyLimitBytes: proxyLimitBytes(config),
  };
  const sockets = { receiver, admin };
  const jobs = JOB_NAMES.map((job) => ({ job, ...CALENDARS[job] }));
  return {
    'tallyhook.service': fill('systemd/tallyhook.service', {
      ...account,
      flags: V8_FLAGS.join(' '),
      variables: Object.entries(ENVIRONMENT),
      stopSeconds: stopSeconds(config),
      openFiles: openFiles(config),
    }),
    ...Object.fromEntries(
      (['receiver', 'admin'] as const).map((name) => [
        `tallyhook-${name}.socket`,
        fill('systemd/tallyhook.socket', { name, address: addressOf(sockets[name], name) }),
      ]),
    ),
    ...Object.fromEntries(PROXIES.map((name) => [name, fill(`systemd/${name}`, proxy)])),
    'jobs/tallyhook-job@.service': fill('systemd/tallyhook-job@.service', account),
    ...Object.fromEntries(
      jobs.map(({ job, calendar }) => [
        timerOf(job),
        // In the zone of the schedule; what runs every few minutes needs none.
        fill('systemd/tallyhook-job.timer', {
          job,
          calendar: /^\d/.test(calendar) ? `${calendar} ${schedule.timeZone}` : calendar,
        }),
      ]),
    ),
    'jobs/crontab': fill('systemd/crontab', { ...account, jobs }),
  };
}

/** `127.0.0.1:4600`; a socket needs an address of numbers. */
function addressOf({ host, port }: { host: string; port: number }, name: string): string {
  if (port === 0)
    throw new UsageError(
      `${name}.port is 0, any free one. Nothing was written.`,
      'A socket and a proxy need a number.',
    );
  const bare = (host === 'localhost' ? '127.0.0.1' : host).replace(/^\[|\]$/g, '');
  return `${bare.includes(':') ? `[${bare}]` : bare}:${port}`;
}

/** This Node, and this launcher. */
function thesePrograms(): Programs {
  return { node: realpathSync(process.execPath), launcher: realpathSync(packageFile('cli/tallyhook.js')) };
}

/** @throws UsageError when the service could not reach one of them, so that it would fail at its start only */
function refuseHidden(paths: readonly string[]): void {
  for (const path of paths) {
    const hiding = HIDDEN.find((each) => path === each || path.startsWith(`${each}/`));
    if (hiding === undefined) continue;
    throw new UsageError(
      `The service could not read ${path}: a service sees nothing below ${hiding}. Nothing was written.`,
      'Install Node and tallyhook for all users (npm install --global), and keep the configuration in /etc/tallyhook.',
    );
  }
}
