import type { Config } from '../../src/config/load.ts';
import { type ProofRefusal, proofRefusal } from '../../src/domain/access/proof.ts';
import type { PersonAct } from '../../src/domain/access/roles.ts';
import { TALLYHOOK } from '../../src/domain/audit/entry.ts';
import type { Archive } from '../../src/store/archive.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { isRetryable, StoreError } from '../../src/store/error.ts';
import { systemClock } from '../../src/time/clock.ts';
import { askedAct, mayReveal, revealedThing } from '../command-acts.ts';
import { personOf, starterOf } from '../options/person.ts';
import { orAsk } from './asking.ts';
import { configFrom } from './config.ts';
import { credential, operationsOf } from './operations.ts';
import { CommandEndedError } from './process.ts';
import { expectFew, type Revealing, type RevealingArguments } from './revealing.ts';

/*
 * From the first user on a command asks the table of roles, as a page does: before it begins, for acts that the store cannot tell from those of
 * a job, and before it shows personal data whole, which is entered in the audit. Without users nothing is asked.
 */

interface PermittedArguments extends Readonly<Record<string, unknown>> {
  readonly config?: string | undefined;
  readonly json?: boolean | undefined;
}

/**
 * Holds the call of a command against the table of roles; `revealing` is for a command that shows rows whole, null without users.
 *
 * @throws StoreError when it may not be done
 */
export async function permitted(path: readonly string[], argv: PermittedArguments): Promise<RevealingArguments> {
  const act = askedAct(path, argv);
  const person = { as: argv.as as string | undefined };
  if (act !== null && !(act.byTimers === true && starterOf(person) === TALLYHOOK))
    await expectRole(argv, act.act, () => (act.byTimers === true ? starterOf(person) : personOf(person)));
  if (!mayReveal(path, argv)) return {};
  const config = await configFrom(argv);
  const found = await withUsers(config, (archive) => archive.approvalRules());
  if (found === null) return {};
  const revealing = revealingOf(config, argv, found.revealRows !== null);
  const thing = revealedThing(path, argv);
  if (thing !== null) await revealing.rows([thing]);
  return { revealing };
}

/** @throws StoreError when the credential of this process does not prove `who`, or its roles do not do */
async function expectRole(argv: PermittedArguments, act: PersonAct, who: () => string): Promise<void> {
  const refusal = await withUsers(await configFrom(argv), async (archive): Promise<ProofRefusal | null> => {
    const facts = await archive.proofFacts(credential());
    return proofRefusal(who(), act, { ...facts, nowMs: systemClock.nowMs() });
  }).catch((error) => {
    // A command that goes on without its database, such as `alerts check`, writes nothing there; the others say so themselves.
    if (error instanceof StoreError && (isRetryable(error.fault) || error.kind === 'configuration')) return null;
    throw error;
  });
  if (refusal !== null) throw new StoreError(refusal.fault, refusal.message, { hint: refusal.hint });
}

/** Null: there is no database yet, or no user. */
async function withUsers<Result>(config: Config, read: (archive: Archive) => Promise<Result>): Promise<Result | null> {
  let archive: Archive;
  try {
    archive = await storeOf(config).archive();
  } catch (error) {
    if (error instanceof StoreError && error.fault === 'no_database') return null;
    throw error;
  }
  try {
    const { hasUsers } = await archive.proofFacts(null);
    return hasUsers ? await read(archive) : null;
  } finally {
    await archive.close();
  }
}

function revealingOf(config: Config, argv: PermittedArguments, isBounded: boolean): Revealing {
  return {
    isBounded,
    async rows(keys) {
      if (keys.length === 0) return;
      if (isBounded) expectFew(keys.length);
      const by = personOf({ as: argv.as as string | undefined });
      const operations = await operationsOf(config);
      try {
        const reveal = async () => {
          await operations.access.reveal({ rows: keys, by });
          return true;
        };
        const done = await orAsk(
          reveal,
          { json: argv.json, reason: argv.reason as string | undefined },
          { by, approvals: operations.approvals, asked: () => ({ act: 'reveal', order: { rows: keys } }) },
        );
        if (done === null) throw new CommandEndedError();
      } finally {
        await operations.close();
      }
    },
  };
}
