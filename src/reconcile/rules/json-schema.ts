import { z } from 'zod';
import type { JsonSchema } from '../../config/json-schema.ts';
import { rulesSchema } from './schema.ts';

/** Returns the JSON Schema of rules for editors. A test keeps `templates/rules/rules.schema.json` equal to it. */
export function rulesJsonSchema(): JsonSchema {
  return z.toJSONSchema(rulesSchema, { io: 'input' }) as JsonSchema;
}
