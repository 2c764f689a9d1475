import { z } from 'zod';
import type { JsonSchema } from '../../config/json-schema.ts';
import { profileSchema } from './schema.ts';

/** Returns the JSON Schema of profiles for editors. A test keeps `templates/profiles/profile.schema.json` equal to it. */
export function profileJsonSchema(): JsonSchema {
  return z.toJSONSchema(profileSchema, { io: 'input' }) as JsonSchema;
}
