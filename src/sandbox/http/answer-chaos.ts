import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { applies, noteFault } from '../chaos/rules.ts';
import { encodeJson } from '../wire/json.ts';
import { type AnswerRule, isAnswerRule } from '../world/chaos-rules.ts';
import { LONGEST_TIMER_MS } from '../world/clock.ts';
import type { World } from '../world/world.ts';
import { JSON_TYPE, pathOf } from './request-body.ts';

const HTML =
  '<!doctype html><html><head><title>Bad gateway</title></head><body><h1>Something went wrong</h1></body></html>';
const SPARED = /^\/(sandbox|pay|checkout|logos|openapi)/;

/** Plants faults in the service's answers: slow, cut, truncated, garbage, HTML, 429, 5xx. Other pages and controls have none. */
export function spoilAnswers(app: FastifyInstance, world: World): void {
  const struck = new WeakMap<FastifyRequest, AnswerRule[]>();

  app.addHook('preHandler', (request, reply, done) => {
    const path = pathOf(request);
    if (world.state.chaos.rules.length === 0 || SPARED.test(path)) return done();
    const target = { path, method: request.method };
    const all = world.state.chaos.rules.filter(isAnswerRule).filter((rule) => applies(world, rule, target));
    if (all.length === 0) return done();
    const rules = together(all);
    struck.set(request, rules);
    const processed = rules.every((rule) => rule.do === 'slow' || rule.processed);
    for (const rule of rules) {
      noteFault(world, rule, { target: `${request.method} ${path}`, reference: null, note: noteOf(rule, processed) });
    }
    if (processed) return done();
    // Not processed: without `done` the handler never runs, and onSend replaces this text by the fault. An async hook that
    // returns the reply would not stop the handler while the answer is still being written.
    void reply.type(JSON_TYPE).send('{}');
  });

  app.addHook('onSend', async (request, reply, payload) => {
    let answer: unknown = payload;
    for (const rule of struck.get(request) ?? []) answer = await spoil(rule, reply, String(answer ?? ''));
    return answer;
  });
}

/** The order of the rules that apply to one answer: delay, replace, halve, cut. */
const ORDER = { slow: 0, garbage: 1, html: 1, rate_limit: 1, server_error: 1, truncate: 2, cut: 3 } as const;

/** The rules that take effect together: of those that replace, halve or cut an answer, only the first of each. */
function together(rules: readonly AnswerRule[]): AnswerRule[] {
  const orders = rules.map((rule) => ORDER[rule.do]);
  return rules
    .filter((rule, position) => rule.do === 'slow' || orders.indexOf(ORDER[rule.do]) === position)
    .toSorted((a, b) => ORDER[a.do] - ORDER[b.do]);
}

async function spoil(rule: AnswerRule, reply: FastifyReply, answer: string): Promise<unknown> {
  switch (rule.do) {
    case 'slow':
      // the timer does not keep the process running
      await wait(Math.min(rule.by, LONGEST_TIMER_MS), undefined, { ref: false });
      return answer;
    case 'cut':
      reply.header('Content-Length', Buffer.byteLength(answer));
      return Readable.from(halfThenBreak(answer));
    case 'truncate':
      return replaced(reply, answer.slice(0, Math.floor(answer.length / 2)));
    case 'garbage':
      return replaced(reply, '\u0000\u001f}{"success":tru', 'application/octet-stream');
    case 'html':
      reply.code(rule.status);
      return replaced(reply, HTML, 'text/html; charset=utf-8');
    case 'rate_limit':
      reply.code(429);
      if (rule.retry_after !== undefined) reply.header('Retry-After', String(rule.retry_after));
      return replaced(reply, encodeJson({ success: false, message: 'Too many requests' }), JSON_TYPE);
    case 'server_error':
      reply.code(rule.status);
      return replaced(reply, encodeJson({ success: false, message: 'Service unavailable' }), JSON_TYPE);
  }
}

function replaced(reply: FastifyReply, text: string, type?: string): string {
  reply.removeHeader('Content-Length');
  if (type) reply.type(type);
  return text;
}

async function* halfThenBreak(answer: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(answer);
  yield bytes.subarray(0, Math.ceil(bytes.length / 2));
  await wait(20); // milliseconds for the first half to be sent before the connection breaks
  throw new Error('answer cut by chaos');
}

function noteOf(rule: AnswerRule, processed: boolean): string {
  if (rule.do === 'slow') return `answered ${rule.by} ms late`;
  return processed ? 'request took effect, answer spoilt' : 'request had no effect';
}
