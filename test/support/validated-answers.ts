import { afterAll, afterEach, expect, vi } from 'vitest';
import type { decryptPayload as Decrypt } from '../../src/sandbox/http/secret-key-route.ts';
import type { Merchant } from '../../src/sandbox/world/records.ts';
import { takeProblems } from './answer-problems.ts';
import './kept-threads.ts';
import { killProcessesOfFile } from './processes.ts';

// Before every file of test/integration/ and test/conformance/. Modules live as long as their worker, for many files; what
// a file leaves is taken up here after each of them.
afterAll(killProcessesOfFile);

/**
 * Checks every response of every sandbox that a test starts against docs/openapi.yaml: to the tests themselves, our
 * client, the sweep and browsers. Responses under chaos rules are not checked, nor are routes that are no part of the
 * service (controls, sample shop, logos).
 */
afterEach(() => {
  expect(takeProblems()).toEqual([]);
});

const NOT_THE_SERVICE = /^\/(sandbox|checkout|logos)\b/;

vi.mock('../../src/sandbox/http/server.ts', async (original) => {
  const real = await original<typeof import('../../src/sandbox/http/server.ts')>();
  const { checkAnswer } = await import('./openapi.ts');
  const { addProblem } = await import('./answer-problems.ts');
  const { decryptPayload } = await import('../../src/sandbox/http/secret-key-route.ts');
  const buildServer: typeof real.buildServer = (options) => {
    const app = real.buildServer(options);
    app.addHook('onSend', async (request, reply, payload) => {
      const chaotic = options.world.state.chaos.rules.length > 0;
      const [path = ''] = request.url.split('?');
      const { method } = request;
      if (chaotic || request.is404 || !['GET', 'POST'].includes(method) || NOT_THE_SERVICE.test(path)) return payload;
      try {
        const type = String(reply.getHeader('content-type') ?? '');
        const answer = String(payload ?? '');
        for (const text of [answer, decrypted(answer, options.world.state.merchants, decryptPayload)])
          if (text !== null) checkAnswer(method, path.replace(/(?<=.)\/$/, ''), reply.statusCode, type, text);
      } catch (error) {
        addProblem((error as Error).message);
      }
      return payload;
    });
    return app;
  };
  return { ...real, buildServer };
});

/** The text of an encrypted response, with the key of the merchant that opens it; null for a plain response. */
function decrypted(answer: string, merchants: readonly Merchant[], decrypt: typeof Decrypt): string | null {
  const [, payload] = /^\{"data":"([0-9a-f]+)"\}$/.exec(answer) ?? [];
  if (payload === undefined) return null;
  for (const { encryption } of merchants) {
    const text = encryption === null ? null : decrypt(encryption, payload);
    if (text !== null) return text;
  }
  throw new Error(`no merchant's key opens ${answer}`);
}
