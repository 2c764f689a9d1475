import { flushCompileCache } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { commandLine } from '../../cli/options/words.ts';
import { giveYargsOurWidth } from '../../cli/options/yargs-width.ts';
import './kept-threads.ts';
import type { Ended } from './tallyhook.ts';

/** One command line, its working folder, its whole environment, and the width of its terminal, if it has one. */
export interface CommandOrder {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly columns: number | undefined;
}

/*
 * A process of its own: carries out one command after the other, each as `cli/main.ts` does, and sends back what it
 * printed and its exit code. Nothing stays between two commands but loaded modules.
 */
giveYargsOurWidth();
const { run } = await import('../../cli/run.ts');
const { NODE_COMPILE_CACHE } = process.env;
const launcher = process.argv.slice(0, 2);

process.on('message', async ({ args, cwd, env, columns }: CommandOrder) => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env, { NODE_COMPILE_CACHE }); // as the launcher sets it
  process.argv = [...launcher, ...args];
  process.exitCode = undefined;
  const isTTY = columns !== undefined;
  for (const stream of [process.stdout, process.stderr]) Object.assign(stream, { isTTY, columns });
  const [stdout, stderr] = [caught('stdout'), caught('stderr')];
  const line = commandLine(args);
  if (line.asks !== 'command' && line.asks !== 'completions') throw new Error(`No command: ${args.join(' ')}`);
  await run(line);
  await nextTurn();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
  process.send?.({ code: Number(process.exitCode ?? 0), stdout: stdout(), stderr: stderr() } satisfies Ended);
});
flushCompileCache(); // this process is killed in the end, and would keep nothing for the next one
process.send?.('ready');

/** Catches what is written to a stream from now on. The result ends it, and is the text. */
function caught(name: 'stdout' | 'stderr'): () => string {
  const stream = process[name];
  const { write } = stream;
  const chunks: Buffer[] = [];
  stream.write = (chunk: string | Uint8Array, encoding?: unknown, done?: unknown) => {
    chunks.push(Buffer.from(chunk as string));
    const written = typeof encoding === 'function' ? encoding : done;
    if (typeof written === 'function') process.nextTick(written);
    return true;
  };
  return () => {
    stream.write = write;
    return Buffer.concat(chunks).toString();
  };
}
