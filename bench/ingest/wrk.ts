import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Workplace } from '../workplace.ts';
import type { Load, LoadResult } from './load-result.ts';

let installed: boolean | undefined;

export function hasWrk(): boolean {
  installed ??= spawnSync('wrk', ['-v']).error === undefined;
  return installed;
}

/** Runs wrk with one thread, which leaves a core for the subject. Requests are streamed from the file. */
export async function wrkLoad(workplace: Workplace, load: Load, seconds: number): Promise<LoadResult> {
  const script = workplace.path('wrk.lua');
  writeFileSync(script, scriptFor(load.file.path));
  const url = `http://127.0.0.1:${load.port}/webhooks/test`;
  const args = ['-t1', `-c${load.connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, url];
  const child = workplace.spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('wrk has no output');
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const result = /^RESULT (.*)$/m.exec(output)?.[1];
  if (code !== 0 || result === undefined) throw new Error(`wrk failed (code ${code}): ${output}`);
  return { ...JSON.parse(result), tenths: [] };
}

function scriptFor(path: string): string {
  return `
local path = ${JSON.stringify(path)}
local threads = {}
local file

function setup(thread) table.insert(threads, thread) end

function init()
  file = io.open(path, "rb")
  repeated = 0
  rewound = false
end

function request()
  local length = file:read(5)
  if length == nil then
    file:seek("set", 0)
    rewound = true
    length = file:read(5)
  end
  if rewound then repeated = repeated + 1 end
  return file:read(tonumber(length))
end

function done(summary, latency)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  local again = 0
  for _, thread in ipairs(threads) do again = again + thread:get("repeated") end
  io.write(string.format(
    '\\nRESULT {"requests":%d,"seconds":%.6f,"p50Ms":%.3f,"p99Ms":%.3f,"maxMs":%.3f,"failures":%d,"repeated":%d}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    latency.max / 1e3, failures, again))
end
`;
}
