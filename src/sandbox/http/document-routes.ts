import { readFileSync } from 'node:fs';
import type { FastifyPluginAsync } from 'fastify';
import { packagePath } from '../package-root.ts';
import { BANKS } from '../world/banks.ts';

const COLOURS = ['#0f766e', '#1d4ed8', '#7c3aed', '#b45309', '#be123c', '#15803d'];

/** The OpenAPI document of the interface, and the logos that the bank lists link to. */
export const documentRoutes: FastifyPluginAsync = async (app) => {
  const openapi = readFileSync(packagePath('docs', 'openapi.yaml'), 'utf8');
  app.get('/openapi.yaml', async (_request, reply) => reply.type('application/yaml; charset=utf-8').send(openapi));

  const codes = Object.values(BANKS)
    .flat()
    .map(({ bankCode }) => bankCode);
  app.get<{ Params: { file: string } }>('/logos/:file', async (request, reply) => {
    const position = codes.indexOf(request.params.file.replace(/\.svg$/, ''));
    if (position === -1) return reply.callNotFound();
    return reply.type('image/svg+xml').send(logo(COLOURS[position % COLOURS.length] ?? '#334155'));
  });
};

function logo(colour: string): string {
  const columns = [14, 28, 42].map((x) => `<rect x="${x}" y="26" width="8" height="18" fill="#fff"/>`).join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="${colour}"/>` +
    `<path d="M32 10 54 22H10z" fill="#fff"/>${columns}<rect x="10" y="47" width="44" height="6" fill="#fff"/></svg>`
  );
}
