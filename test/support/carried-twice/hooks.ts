import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { sourceFile } from '../../../src/package-root.ts';

/*
 * What a thread loads after this module records the writes of databases (recorder.ts). A process is started with `--import` of it, which its threads
 * inherit; in a project of Vitest with a module runner, the modules of the main thread would not be hooked.
 */

/** By module: its functions, each with the one of the recorder that goes around it. */
const AROUND: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'engine/database': {
    writing: 'aroundWriting',
    openTransaction: 'aroundTransaction',
    turnTransaction: 'aroundTransaction',
  },
  'write/answer': { callsOf: 'aroundCalls' },
  'write/requests': { requestWrites: 'aroundRequests' },
  'write/refusals': { refusalWrites: 'aroundRefusals' },
  'log/reader': { entryReads: 'aroundEntries' },
  'carry-out/carry-out': { carrier: 'aroundCarrier' },
};
const RECORDER = new URL('./recorder.ts', import.meta.url).href;
const REAL = '?real';
const wrapped = new Map(
  Object.entries(AROUND).map(([module, around]) => [sourceFile(`store/sqlite/${module}`).href, around]),
);
for (const href of wrapped.keys())
  if (!existsSync(new URL(href))) throw new Error(`${href} is gone: name the module that writes.`);

registerHooks({
  load(url, context, next) {
    const around = wrapped.get(url);
    if (around === undefined) return next(url, context);
    const source = Object.entries(around)
      .map(([name, recorded]) => `export const ${name} = recorder.${recorded}(real.${name});`)
      .join('\n');
    return {
      format: 'module',
      shortCircuit: true,
      source: `import * as real from '${url}${REAL}'; import * as recorder from '${RECORDER}'; export * from '${url}${REAL}';\n${source}`,
    };
  },
});
