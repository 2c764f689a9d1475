import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// The figures of the sandbox in docs/performance.md: start-up, requests and webhooks of one process beside a receiver.

export const SANDBOX_USAGE = `npm run bench -- sandbox [options]
  --seconds N        length of one measurement (5)
  --json             results as JSON`;

/** Requests in flight at the same time. */
const CONNECTIONS = 64;
/** Starts measured; the figure is their median. */
const STARTS = 5;
/** The targets of docs/performance.md: least requests and webhooks per second, longest start. */
const FLOOR = { perSecond: 2_000, startMs: 500 };

interface Load {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly refused: number;
}

export interface SandboxFigures {
  readonly startMs: number;
  readonly startCommandMs: number;
  readonly collections: Load & {
    readonly webhooksPerSecond: number;
    /** Processor time of the sandbox for one collection and its webhook; it depends little on other load. */
    readonly cpuMicros: number;
  };
  readonly verifications: Load;
  readonly rssBytes: number;
  readonly problems: number;
}

/** Measures and prints the figures. The exit code is 1 when a target is missed. */
export async function benchSandbox(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { seconds: { type: 'string', default: '5' }, json: { type: 'boolean', default: false } },
  });
  const figures = await measure(Number(values.seconds));
  if (values.json) console.log(JSON.stringify(figures, null, 2));
  else console.log(figuresText(figures));
  const { collections, startMs } = figures;
  const slow =
    Math.min(collections.requestsPerSecond, collections.webhooksPerSecond) < FLOOR.perSecond || startMs > FLOOR.startMs;
  if (slow || figures.problems > 0) process.exitCode = 1;
}

async function measure(seconds: number): Promise<SandboxFigures> {
  const startMs = await startTime();
  const startCommandMs = await commandStartTime();
  const receiver = fork(script('receive.ts'));
  const [{ url: webhookUrl }] = (await once(receiver, 'message')) as [{ url: string }];
  const sandbox = fork(script('serve.ts'), [webhookUrl]);
  const [{ url, secretKey }] = (await once(sandbox, 'message')) as [{ url: string; secretKey: string }];

  let reference = 0;
  const collect = () => ({
    path: '/api/s2s/v1/banktransfer/initialize',
    body: `{"email":"ada@example.com","amount":"150.00","currency":"NGN","reference":"B${reference++}","status":"success"}`,
  });
  await load(url, secretKey, 1, collect); // warm up
  await caughtUp(receiver, reference);
  const before = await ask<{ count: number }>(receiver);
  const cpuBefore = await ask<{ cpuMicros: number }>(sandbox);
  const startedMs = performance.now();
  const collections = await load(url, secretKey, seconds, collect);
  await caughtUp(receiver, reference);
  // The time ends with the arrival of the last webhook: a webhook still in the queue is not sent.
  const elapsedMs = performance.now() - startedMs;
  const { count } = await ask<{ count: number }>(receiver);
  const cpuAfter = await ask<{ cpuMicros: number }>(sandbox);
  const cpuMicros = (cpuAfter.cpuMicros - cpuBefore.cpuMicros) / (count - before.count);
  const verifications = await load(url, secretKey, seconds, () => ({
    path: `/api/v1/transaction/verify/B${reference-- % 1000 ? 7 : 8}`,
  }));
  const { problems, rssBytes } = await ask<{ problems: number; rssBytes: number }>(sandbox);
  sandbox.disconnect();
  receiver.disconnect();
  const webhooksPerSecond = ((count - before.count) / elapsedMs) * 1000;
  return {
    startMs,
    startCommandMs,
    collections: { ...collections, webhooksPerSecond, cpuMicros },
    verifications,
    rssBytes,
    problems,
  };
}

type Request = () => { readonly path: string; readonly body?: string };

/** Keeps `CONNECTIONS` requests going for `seconds`. */
async function load(url: string, secretKey: string, seconds: number, next: Request): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { Authorization: `Bearer ${secretKey}`, 'Content-Type': 'application/json' };
  const times: number[] = [];
  let refused = 0;
  const startedMs = performance.now();
  const untilMs = startedMs + seconds * 1000;
  const worker = async () => {
    while (performance.now() < untilMs) {
      const { path, body } = next();
      const sentMs = performance.now();
      if ((await send(url + path, agent, headers, body)) !== 200) refused++;
      times.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const requestsPerSecond = (times.length / (performance.now() - startedMs)) * 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN;
  return { requestsPerSecond, p50Ms: at(0.5), p99Ms: at(0.99), refused };
}

function send(url: string, agent: Agent, headers: Record<string, string>, body: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const outgoing = request(
      url,
      { agent, method: body === undefined ? 'GET' : 'POST', headers: { ...headers, ...length } },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function caughtUp(receiver: ChildProcess, wanted: number): Promise<void> {
  while ((await ask<{ count: number }>(receiver)).count < wanted) await wait(5);
}

async function ask<Answer>(child: ChildProcess): Promise<Answer> {
  const answer = once(child, 'message');
  child.send('how many?');
  const [message] = await answer;
  return message as Answer;
}

/** Milliseconds from an empty process to a listening sandbox. */
async function startTime(): Promise<number> {
  const code = `const t = performance.now(); const { startSandbox } = await import(${JSON.stringify(root('src/sandbox/index.ts'))});
    const s = await startSandbox(); console.log(performance.now() - t); await s.close();`;
  const times: number[] = [];
  for (let i = 0; i < STARTS; i++)
    times.push(Number(await firstOutput(['--input-type=module', '-e', code], (text) => text.includes('\n'))));
  return median(times);
}

/** Milliseconds from the command to its printed keys. */
async function commandStartTime(): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const startedMs = performance.now();
    await firstOutput([root('cli/tallyhook.js'), 'sandbox', '--port', '0', '--json'], (text) => text.endsWith('}\n'));
    times.push(performance.now() - startedMs);
  }
  return median(times);
}

async function firstOutput(args: string[], enough: (text: string) => boolean): Promise<string> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (enough(text)) break;
  }
  child.kill('SIGTERM');
  return text;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const root = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const script = (name: string): string => root(`bench/sandbox/${name}`);

function figuresText({
  startMs,
  startCommandMs,
  collections,
  verifications,
  rssBytes,
  problems,
}: SandboxFigures): string {
  const loadText = (one: Load) =>
    `${Math.round(one.requestsPerSecond)} requests/s, p50 ${one.p50Ms.toFixed(1)} ms, p99 ${one.p99Ms.toFixed(1)} ms, ${one.refused} refused`;
  return [
    `start            ${Math.round(startMs)} ms in a fresh process; ${Math.round(startCommandMs)} ms from the command to its keys`,
    `collections      ${loadText(collections)}`,
    `webhooks         ${Math.round(collections.webhooksPerSecond)}/s, counted by the receiver until the last had arrived`,
    `processor        ${Math.round(collections.cpuMicros)} µs of the sandbox for a collection and its webhook`,
    `verifications    ${loadText(verifications)}`,
    `memory           ${Math.round(rssBytes / 2 ** 20)} MiB; ${problems} problems in the books`,
  ].join('\n');
}
