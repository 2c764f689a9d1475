import { registerHooks } from 'node:module';
import { sourceFile } from '../../src/package-root.ts';
import type { decryptPayload as Decrypt } from '../../src/sandbox/http/secret-key-route.ts';
import type { buildServer as BuildServer } from '../../src/sandbox/http/server.ts';
import type { Merchant } from '../../src/sandbox/world/records.ts';
import { addProblem } from './answer-problems.ts';

/*
 * Importing this module makes each sandbox that this process loads from then on check its own responses against docs/openapi.yaml: those to the
 * tests themselves, our client, the sweep and browsers. Responses under chaos rules are not checked, nor are routes that are no part of the
 * service (controls, sample shop, logos). It hooks the imports of Node, so Vitest's own module runner must be off.
 */

const SERVER = sourceFile('sandbox/http/server').href;
const REAL = `${SERVER}?real`;
const NOT_THE_SERVICE = /^\/(sandbox|checkout|logos)\b/;

registerHooks({
  load(url, context, next) {
    if (url !== SERVER) return next(url, context);
    const source = `
      export * from '${REAL}';
      import { buildServer as real } from '${REAL}';
      import { checkingServer } from '${import.meta.url}';
      export const buildServer = checkingServer(real);`;
    return { format: 'module', shortCircuit: true, source };
  },
});

/** As `real`; what its servers answer is checked, once the sandbox is loaded. */
export function checkingServer(real: typeof BuildServer): typeof BuildServer {
  return (options) => {
    const app = real(options);
    app.addHook('onSend', async (request, reply, payload) => {
      const { chaos, merchants } = options.world.state;
      const [path = ''] = request.url.split('?');
      const { method } = request;
      if (chaos.rules.length > 0 || request.is404 || !['GET', 'POST'].includes(method) || NOT_THE_SERVICE.test(path))
        return payload;
      const { checkAnswer } = await import('./openapi.ts');
      const { decryptPayload } = await import('../../src/sandbox/http/secret-key-route.ts');
      try {
        const type = String(reply.getHeader('content-type') ?? '');
        const answer = String(payload ?? '');
        for (const text of [answer, decrypted(answer, merchants, decryptPayload)])
          if (text !== null) checkAnswer(method, path.replace(/(?<=.)\/$/, ''), reply.statusCode, type, text);
      } catch (error) {
        addProblem((error as Error).message);
      }
      return payload;
    });
    return app;
  };
}

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
