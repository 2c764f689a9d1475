import { carryOutText, requestText } from '../../src/access/request-words.ts';
import { RefusedActError } from '../../src/domain/persons/refused-act.ts';
import type { AskedOrder } from '../../src/store/approvals.ts';
import { StoreError } from '../../src/store/error.ts';
import type { Operations } from '../../src/store/operations.ts';
import { systemClock } from '../../src/time/clock.ts';
import { UsageError } from '../options/options.ts';
import { differencesFound, note, print, printJson } from '../show/output.ts';
import { requestJson } from '../show/request.ts';

/** Most characters of a reason. */
const MOST_CHARACTERS = 1_000;

export interface AskArguments {
  readonly json: boolean | undefined;
  readonly reason: string | undefined;
}

/** The reason as it is kept; null: none was given. @throws UsageError for one that is empty or too long */
export function reasonIn({ reason }: Pick<AskArguments, 'reason'>): string | null {
  if (reason === undefined) return null;
  const text = reason.normalize('NFC').trim();
  if (text === '') throw new UsageError('--reason is empty.', 'Say why.');
  if (text.length <= MOST_CHARACTERS) return text;
  throw new UsageError(`--reason has ${text.length} characters; ${MOST_CHARACTERS} are allowed.`);
}

/**
 * `work`; where it needs a second person and a reason was given, asks for it instead, prints the request, sets exit code 3 and returns null.
 *
 * @throws StoreError `not_approved` without a reason
 */
export async function orAsk<Result>(
  work: () => Promise<Result>,
  argv: AskArguments,
  {
    by,
    approvals,
    asked,
    secrets = {},
  }: {
    by: string;
    approvals: Operations['approvals'];
    asked: () => Promise<AskedOrder> | AskedOrder;
    /** What is good once it is carried out, and is shown now alone. */
    secrets?: { readonly token?: string | undefined; readonly link?: string | undefined };
  },
): Promise<Result | null> {
  const reason = reasonIn(argv);
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError) || error.fault !== 'not_approved' || reason === null) throw error;
    const result = await approvals.ask({ ...(await asked()), by, reason });
    if (result.outcome === 'refused')
      throw new RefusedActError(result.message, { kind: 'failed', reason: result.reason, hint: result.hint });
    const { request } = result;
    if (argv.json) printJson({ request: requestJson(request, systemClock.nowMs()), ...secrets });
    else {
      print(requestText(request));
      note(`Nothing was done yet. Another person runs: tallyhook approvals approve ${request.id}`);
      note(`Then you run: ${carryOutText(request)}`);
      for (const [what, secret] of Object.entries(secrets)) {
        if (secret === undefined) continue;
        note(`From then on this ${what} is good; it is shown once:`);
        print(secret);
      }
    }
    differencesFound();
    return null;
  }
}
