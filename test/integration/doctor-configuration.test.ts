import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { diagnosis, emptyFolder } from '../support/doctor.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';

// Which configuration doctor judges, and how it was found.

const YAML = 'admin: {port: 0}\n';
const run = async (args: readonly string[], cwd: string, env: Record<string, string> = {}) =>
  diagnosis(await command(['doctor', '--json', ...args], { cwd, env }));

test('the first line names the file and how it was found', async () => {
  const [here, elsewhere] = [emptyFolder(), emptyFolder()];
  const usual = join(here, 'tallyhook.yaml');
  const other = join(elsewhere, 'other.yaml');
  writeFileSync(usual, YAML);
  writeFileSync(other, YAML);
  const found = async (args: readonly string[], env = {}) =>
    (await run(args, here, { ...TEST_KEY_ENV, ...env })).checks[0];
  expect(await found([])).toMatchObject({
    name: 'configuration',
    detail: expect.stringMatching(/^\S+ \(found through the working folder\)/),
  });
  expect((await found([]))?.detail).toContain(usual);
  expect((await found(['--config', other]))?.detail).toContain(`${other} (found through --config)`);
  expect((await found([], { TALLYHOOK_CONFIG: other }))?.detail).toContain(`${other} (found through TALLYHOOK_CONFIG)`);
});

test('without any configuration the first line is a failure that says where it looked, and no default is judged', async () => {
  const cwd = emptyFolder();
  const { code, stdout, stderr } = await command(['doctor'], { cwd });
  const [first, hint] = stdout.split('\n');
  expect([code, stderr]).toEqual([3, '']);
  expect(first).toMatch(
    /^FAILED +configuration: none found \(no --config, no TALLYHOOK_CONFIG, no tallyhook\.yaml in /,
  );
  expect(first).toContain(cwd);
  expect(hint).toContain('--config FILE');
  expect(stdout).not.toContain('tallyhook.db');
});

test('environment variables alone are a configuration, also those of .env; no value is shown', async () => {
  const cwd = emptyFolder();
  const variables = { ...TEST_KEY_ENV, TALLYHOOK_ADMIN_PORT: '0' };
  const inEnvironment = await run([], cwd, variables);
  expect(inEnvironment.checks[0]).toMatchObject({
    status: 'ok',
    detail: expect.stringContaining('environment variables alone'),
  });
  writeFileSync(
    join(cwd, '.env'),
    Object.entries(variables)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
    { mode: 0o600 },
  );
  const inFile = await run([], cwd);
  expect(inFile.checks[0]).toEqual(inEnvironment.checks[0]);
  for (const name of Object.keys(variables)) expect(inFile.checks[0]?.detail).toContain(name);
  expect(JSON.stringify(inFile.checks)).not.toContain(TEST_KEY_ENV.TALLYHOOK_TEST_SECRET_KEY);
});

test('a configuration without any key fails', async () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'tallyhook.yaml'), YAML);
  const { code, checks } = await run([], cwd);
  expect(code).toBe(3);
  expect(checks).toContainEqual(expect.objectContaining({ name: 'keys', status: 'failed' }));
});

test.each(['stats', 'events list', 'health', 'why RFD_1'])(
  '`%s` in the wrong folder says that no configuration was found, not only that there is no database',
  async (line) => {
    const cwd = emptyFolder();
    const { code, stderr } = await command(line.split(' '), { cwd });
    expect(code).toBe(line === 'health' ? 1 : 2); // health reports a database that it cannot read
    expect(stderr).toContain(`no tallyhook.yaml in ${cwd}`);
    expect(stderr).toContain('--config');
    writeFileSync(join(cwd, 'tallyhook.yaml'), YAML);
    expect((await command(line.split(' '), { cwd })).stderr).not.toContain('--config');
  },
);
