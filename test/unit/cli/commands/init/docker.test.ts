import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { docker } from '../../../../../cli/commands/init/docker.ts';
import { publicAddress } from '../../../../../cli/commands/init/public-address.ts';
import { type Config, loadConfig } from '../../../../../src/config/load.ts';
import { packageFile } from '../../../../../src/package-root.ts';

const config: Config = { ...loadConfig({ env: {}, cwd: '/' }), database: '/var/lib/tallyhook/tallyhook.db' };
const target = {
  folder: '/srv/tallyhook',
  file: '/srv/tallyhook/config/tallyhook.yaml',
  address: publicAddress('https://hooks.example.com:8443'),
  otherReceivers: [],
  databaseGroup: null,
};
const files = docker.files(config, target);
const instructions = (files.Dockerfile ?? '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(/ (.*)/s));

test('every line of the Dockerfile is an instruction, and its lists are JSON', () => {
  const known = /^(FROM|COPY|RUN|USER|WORKDIR|ENV|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT|CMD)$/;
  for (const [name = '', rest = ''] of instructions) {
    expect(name).toMatch(known);
    const list = /\[.*\]$/.exec(rest)?.[0];
    if (list !== undefined) expect(JSON.parse(list)).toEqual(expect.arrayContaining([expect.any(String)]));
  }
  expect(instructions.at(0)?.[0]).toBe('FROM');
});

test('the container runs as the owner of the configuration, who is not root', () => {
  const user = instructions.find(([name]) => name === 'USER')?.[1];
  const made = instructions.find(([, rest]) => rest?.startsWith('install -d'))?.[1];
  expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  const [uid, gid] = (user ?? '').split(':');
  expect(made).toBe(`install -d -o ${uid} -g ${gid} -m 750 /var/lib/tallyhook /backups`);
});

test('compose.yaml is YAML; the proxy alone is reached from outside, logs have a limit, and trustProxy is its network', () => {
  const compose = parse(files['compose.yaml'] ?? '');
  expect(compose.services.tallyhook).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    stop_grace_period: '15s',
    volumes: expect.arrayContaining(['database:/var/lib/tallyhook']),
  });
  expect(compose.services.tallyhook.ports).toEqual(['127.0.0.1:4601:4601']); // of this machine alone
  expect(compose.services.tallyhook.tmpfs).toBeUndefined();
  expect(compose.services.tallyhook.volumes).toContain('temporary:/tmp');
  expect(Object.keys(compose.volumes)).toContain('temporary');
  for (const service of Object.values<{ logging: unknown }>(compose.services))
    expect(service.logging).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '10' } });
  expect(compose.services.proxy.ports).toEqual(['80:80', '8443:8443']);
  const [{ subnet }] = compose.networks.inside.ipam.config;
  const template = readFileSync(packageFile('templates/config/tallyhook.yaml'), 'utf8');
  expect(parse(docker.adapt(template))).toMatchObject({
    database: '/var/lib/tallyhook/tallyhook.db',
    receiver: { host: '0.0.0.0', port: 4600, trustProxy: [subnet] },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration reads it
    admin: { host: '0.0.0.0', port: 4601, token: '${TALLYHOOK_ADMIN_TOKEN}', allowedHosts: ['tallyhook'] },
  });
  expect(files.Caddyfile).toContain('reverse_proxy tallyhook:4600 {');
});

test('a database that would end with its container is refused', () => {
  const elsewhere = { ...config, database: '/srv/tallyhook/data/tallyhook.db' };
  expect(() => docker.files(elsewhere, target)).toThrow(/not on the volume of the container/);
});
