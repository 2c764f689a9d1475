import { carryOut } from '../../../src/access/carry-out.ts';
import { carryOutText, requestText } from '../../../src/access/request-words.ts';
import { RefusedActError } from '../../../src/domain/persons/refused-act.ts';
import type { DecideOrder, KnownRequest, RequestResult } from '../../../src/store/approvals.ts';
import type { OpenOperations } from '../../../src/store/store.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { withArchiveOf } from '../../context/archive.ts';
import { reasonIn } from '../../context/asking.ts';
import { configFrom } from '../../context/config.ts';
import { operationsOf } from '../../context/operations.ts';
import type { Cli } from '../../options/options.ts';
import { PERSON_OPTIONS, personOf } from '../../options/person.ts';
import { note, print, printJson } from '../../show/output.ts';
import { requestJson } from '../../show/request.ts';
import { ID, noRequest, requestNumber } from './show.ts';

interface DecideArguments {
  readonly config: string | undefined;
  readonly json: boolean | undefined;
  readonly id: string;
  readonly as: string | undefined;
}

/** `tallyhook approvals approve|refuse|carry-out ID`. */
export function addApprovalsDecideCommands(cli: Cli): void {
  cli.command(
    'approve <id>',
    'Let the one who asked carry out exactly the rows of a request; another person than that one',
    (command) =>
      command
        .positional('id', ID)
        .option('as', PERSON_OPTIONS.as)
        .option('digest', {
          type: 'string',
          requiresArg: true,
          describe: 'That of the rows which you have seen; another one is refused',
        })
        .example('$0 approvals approve 3', 'After: approvals show 3'),
    (argv) =>
      decide(argv, 'approved', ({ approvals }, order) =>
        approvals.approve({ ...order, ...(argv.digest !== undefined && { digest: argv.digest }) }),
      ),
  );
  cli.command(
    'refuse <id>',
    'Refuse a request, or take your own back',
    (command) =>
      command
        .positional('id', ID)
        .option('as', PERSON_OPTIONS.as)
        .option('reason', { type: 'string', requiresArg: true, describe: 'Why; the one who asked reads it' })
        .example('$0 approvals refuse 3 --reason "it is the other statement"', 'Nothing is done'),
    (argv) => {
      const answer = reasonIn(argv);
      return decide(argv, 'refused', ({ approvals }, order) => approvals.refuse({ ...order, answer }));
    },
  );
  cli.command(
    'carry-out <id>',
    'Carry out your request that another person approved; what was cut off goes on',
    (command) =>
      command
        .positional('id', ID)
        .option('as', PERSON_OPTIONS.as)
        .example('$0 approvals carry-out 3', 'Exactly its rows, each once'),
    (argv) => carryOutOne(argv),
  );
}

async function decide(
  argv: DecideArguments,
  done: 'approved' | 'refused',
  say: (operations: OpenOperations, order: DecideOrder) => Promise<RequestResult>,
): Promise<void> {
  const [id, by] = [requestNumber(argv.id), personOf(argv)];
  const operations = await operationsOf(await configFrom(argv));
  try {
    const result = await say(operations, { id, by });
    if (result.outcome === 'refused')
      throw new RefusedActError(result.message, { kind: 'failed', reason: result.reason, hint: result.hint });
    const { request } = result;
    if (argv.json) return printJson(requestJson(request, systemClock.nowMs()));
    print(`${requestText(request)} – ${done}`);
    if (done === 'approved') note(`${request.askedBy} runs: ${carryOutText(request)}`);
  } finally {
    await operations.close();
  }
}

async function carryOutOne(argv: DecideArguments): Promise<void> {
  const [id, by] = [requestNumber(argv.id), personOf(argv)];
  const config = await configFrom(argv);
  const request = await withArchiveOf(config, (archive) => archive.approval(id));
  if (request === null) throw noRequest(id);
  const operations = await operationsOf(config);
  await carryOut(request, operations, by).finally(() => operations.close());
  const after = (await withArchiveOf(config, (archive) => archive.approval(id))) as KnownRequest;
  const { rows, rowsUsed } = after;
  if (argv.json) printJson(requestJson(after, systemClock.nowMs()));
  else print(`${requestText(after)} – done, ${rowsUsed} of ${rows} ${rows === 1 ? 'row' : 'rows'}`);
}
