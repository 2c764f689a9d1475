import { z } from 'zod';
import { folder, section } from '../settings.ts';

/** The forms in which a report can be written; a test holds them against the renderings. */
const FORMATS = ['json', 'csv', 'xlsx', 'html'] as const;
const FORMATS_RULE = `must be a list of ${FORMATS.join(', ')}`;
const ADDRESSES_RULE = 'must be null or a list of mail addresses such as finance@shop.example';
const ADDRESS_RULE = 'must be a mail address such as finance@shop.example';

/** Where the report of the last month goes by itself, and in which forms. */
export const reports = section({
  folder: folder('Folder for scheduled reports, relative to the folder of this file.'),
  formats: z
    .array(z.enum(FORMATS, FORMATS_RULE), FORMATS_RULE)
    .min(1, 'must name a form')
    .default(['html', 'xlsx'])
    .describe('Their forms.'),
  mail: z
    .array(z.string(ADDRESS_RULE).regex(/^[^\s@<>,;"]{1,64}@[^\s@<>,;"]{1,253}$/, ADDRESS_RULE), ADDRESSES_RULE)
    .min(1, 'must name a recipient')
    .max(20, 'must name 20 recipients at most')
    .nullable()
    .default(null)
    .describe('Recipients by mail, over the server of alerts.mail; null: no mail is sent.'),
});
