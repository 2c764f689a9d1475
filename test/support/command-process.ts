import { flushCompileCache } from 'node:module';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate as nextTurn } from 'node:timers/promises';
import './kept-threads.ts';
import { COMMAND_MODULES, programModule } from './program.ts';

/** One command line, its working folder, its whole environment, and the width of its terminal, if it has one. */
export interface CommandOrder {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly columns: number | undefined;
}

/** How a command ended, and all that it wrote, in its order. */
export interface CarriedOut {
  readonly code: number;
  readonly written: readonly Written[];
}
export interface Written {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/*
 * A process of its own: carries out one command after the other, each as `cli/main.ts` does, and sends back what it
 * printed and its exit code. Nothing stays between two commands but loaded modules.
 */
const [words, imports, commands] = COMMAND_MODULES;
const { commandLine }: typeof import('../../cli/options/words.ts') = await import(programModule(words).href);
const { importYargs }: typeof import('../../cli/context/lean-imports.ts') = await import(programModule(imports).href);
await importYargs();
const { run }: typeof import('../../cli/run.ts') = await import(programModule(commands).href);
const { NODE_COMPILE_CACHE, JUMPING_CLOCK } = process.env;
const launcher = process.argv.slice(0, 2);

process.on('message', async ({ args, cwd, env, columns }: CommandOrder) => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env, { NODE_COMPILE_CACHE, JUMPING_CLOCK }); // as the launcher sets the one, and `command` the other
  process.argv = [...launcher, ...args];
  process.exitCode = undefined;
  const isTTY = columns !== undefined;
  for (const stream of [process.stdout, process.stderr]) Object.assign(stream, { isTTY, columns });
  const written: Written[] = [];
  const release = (['stdout', 'stderr'] as const).map((stream) => caught(stream, written));
  const line = commandLine(args);
  if (line.asks !== 'command' && line.asks !== 'completions') throw new Error(`No command: ${args.join(' ')}`);
  await run(line);
  await nextTurn();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
  for (const end of release) end();
  process.send?.({ code: Number(process.exitCode ?? 0), written } satisfies CarriedOut);
});
flushCompileCache(); // this process is killed in the end, and would keep nothing for the next one
process.send?.('ready');

/** Adds to `written` what is written to a stream from now on. The result ends that. */
function caught(name: Written['stream'], written: Written[]): () => void {
  const stream = process[name];
  const { write } = stream;
  const decoder = new StringDecoder();
  stream.write = (chunk: string | Uint8Array, encoding?: unknown, done?: unknown) => {
    written.push({ stream: name, text: decoder.write(Buffer.from(chunk as string)) });
    const called = typeof encoding === 'function' ? encoding : done;
    if (typeof called === 'function') process.nextTick(called);
    return true;
  };
  return () => {
    stream.write = write;
  };
}
