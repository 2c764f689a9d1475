import { codesOf, missingOf, splitComment } from '../../../domain/exceptions/reasons.ts';
import type { ReasonRules, Resolution } from '../../../domain/exceptions/words.ts';
import type { ExceptionAct } from '../../../store/exceptions.ts';
import type { FilledColumn, SheetException } from '../columns.ts';
import { isResolution, type Said } from './said.ts';

/** What a row resolves. */
export type RowResolution = NonNullable<(ExceptionAct & { readonly act: 'import' })['resolve']>;

export interface WordProblem {
  readonly reason: 'unknown_word' | 'missing';
  readonly column: FilledColumn;
  readonly message: string;
}

const NEEDED = {
  comment: ['comment', 'a comment'],
  reference: ['comment', 'a reference at the start of the comment: "ref: CLM-7; text"'],
  follow_up: ['follow_up', 'a day of follow-up'],
  attachment: [
    'reason_code',
    'an attachment, which a sheet cannot hold: tallyhook exceptions resolve ID --attach FILE',
  ],
} as const;

/** Returns what a row resolves, null when it resolves nothing; or the word that does not go, then what its reason code needs. */
export function resolutionIn(
  said: Said,
  one: SheetException,
  reasons: ReasonRules,
): RowResolution | WordProblem | null {
  if (said.resolution === undefined && said.reasonCode === undefined) return null;
  const resolution = said.resolution ?? one.resolution;
  if (resolution !== null && !isResolution(resolution)) return unknown('resolution', 'is no resolution', WORDS);
  const code = codeOf(said, one, reasons);
  if (code !== null && !Object.hasOwn(reasons, code)) {
    return unknown('reason_code', 'is no reason code', resolution === null ? [] : codesOf(reasons, resolution));
  }
  const rule = code === null ? undefined : reasons[code];
  if (resolution !== null && rule !== undefined && (rule.resolution ?? resolution) !== resolution) {
    const why = `goes with ${rule.resolution}, not with ${resolution}`;
    return unknown('reason_code', why, codesOf(reasons, resolution));
  }
  if (resolution === null) return missing('resolution', 'A reason code goes with a resolution: fill that too.');
  if (resolution === 'match' || resolution === 'undo_match') return missing('resolution', lines(resolution, one.id));
  if (code === null || rule === undefined) {
    return missing('reason_code', `${resolution} needs a reason code: ${codesOf(reasons, resolution).join(', ')}.`);
  }
  const comment = said.comment ?? one.comment;
  const { reference, text } = splitComment(comment);
  const followUp = said.followUp === undefined ? one.followUp : said.followUp;
  const need = missingOf(rule, resolution, { comment: text, reference, followUp, attachments: [] });
  if (need !== null) return missing(NEEDED[need][0], `Reason code ${code} needs ${NEEDED[need][1]}.`);
  return { resolution, reasonCode: code, reference, followUp };
}

const WORDS = ['accept', 'claim', 'carry', 'ours'];

/** As the configuration writes it. */
function codeOf(said: Said, one: SheetException, reasons: ReasonRules): string | null {
  const { reasonCode = one.reasonCode } = said;
  return Object.keys(reasons).find((code) => code.toLowerCase() === reasonCode?.toLowerCase()) ?? reasonCode;
}

function unknown(column: FilledColumn, what: string, words: readonly string[]): WordProblem {
  const list = words.length === 0 ? '' : ` Write one of: ${words.join(', ')}.`;
  return { reason: 'unknown_word', column, message: `It ${what}.${list}` };
}

function missing(column: FilledColumn, message: string): WordProblem {
  return { reason: 'missing', column, message };
}

function lines(resolution: Resolution, id: string): string {
  return `${resolution} names lines of a statement: tallyhook exceptions resolve ${id} --resolution ${resolution} --line STATEMENT:ROW`;
}
