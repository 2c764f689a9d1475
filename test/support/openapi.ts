import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

interface Operation {
  readonly responses: Record<string, { $ref?: string; content?: Record<string, unknown> }>;
}
type PathItem = { readonly $ref?: string } & Record<string, Operation>;
interface Document {
  readonly paths: Record<string, PathItem>;
  readonly components: Record<string, Record<string, unknown>>;
}

const text = readFileSync(new URL('../../docs/openapi.yaml', import.meta.url), 'utf8');
/** The interface as docs/openapi.yaml describes it. */
export const openapi = parse(text) as Document;
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema(openapi as object, 'openapi');

const templates = Object.keys(openapi.paths).map((path) => ({
  path,
  // A template without parameters goes before one with them, as the OpenAPI standard demands.
  rank: path.includes('{') ? 1 : 0,
  pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
}));
templates.sort((a, b) => a.rank - b.rank);

/** Throws unless the document describes this answer: its path, method, status, content type and every field. */
export function checkAnswer(method: string, url: string, httpStatus: number, contentType: string, body: string): void {
  const path = url.split('?')[0] ?? url;
  const found = templates.find(({ pattern }) => pattern.test(path));
  if (!found) throw new Error(`openapi.yaml has no path for ${path}`);
  const where = `${method} ${found.path} ${httpStatus}`;
  const item = follow<PathItem>(openapi.paths[found.path] as PathItem);
  const described = item[method.toLowerCase()]?.responses[String(httpStatus)];
  if (!described) throw new Error(`openapi.yaml does not describe ${where}: ${body}`);
  const { content } = follow<{ content?: Record<string, { schema: object }> }>(described);
  if (!content) return;
  const type = contentType.split(';')[0] ?? '';
  const schema = content[type]?.schema;
  if (!schema) throw new Error(`openapi.yaml does not describe ${type} for ${where}`);
  checkSchema(schema, type === 'application/json' ? JSON.parse(body) : body, `${where}: ${body}`);
}

/** Throws unless `value` fits the named schema of the document. */
export function checkNamed(name: string, value: unknown): void {
  checkSchema({ $ref: `#/components/schemas/${name}` }, value, `${name}: ${JSON.stringify(value)}`);
}

const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

function checkSchema(schema: object, value: unknown, what: string): void {
  const key = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
  const validate = compiled.get(key) ?? ajv.compile(JSON.parse(key) as object);
  compiled.set(key, validate);
  if (!validate(value)) throw new Error(`${what}\n${ajv.errorsText(validate.errors)}`);
}

function follow<T>(node: { $ref?: string }): T {
  if (node.$ref === undefined) return node as T;
  const [, , group = '', name = ''] = node.$ref.split('/');
  return openapi.components[group]?.[name] as T;
}
