import { expect, test } from 'vitest';
import { Shell } from '../support/documents/shell.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a shell runs many commands one after the other, without a warning of Node about listeners left behind', async () => {
  const warnings: string[] = [];
  const warned = (warning: Error) => void warnings.push(warning.name);
  process.on('warning', warned);
  const shell = new Shell(temporaryFolder(), { PATH: process.env.PATH ?? '' });
  await shell.run('counted=0');
  for (let n = 1; n <= 20; n++) {
    expect(await shell.run('counted=$((counted + 1)); echo $counted')).toEqual({ code: 0, output: `${n}\n` });
  }
  shell.end();
  await expect(shell.run('echo')).rejects.toThrow('the shell ended at: echo');
  process.off('warning', warned);
  expect(warnings).toEqual([]);
});
