import { type Clock, clockOf, type SharedTime } from '../../../time/clock.ts';
import type { Caller } from '../../caller.ts';
import type { Database } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { withLateStatements } from '../engine/late-statements.ts';
import { openOrCreate, openToWrite } from '../engine/write-connection.ts';
import type { CallOperationNow, CarryOutCall } from '../write/answer.ts';
import { type OperationSettings, operationCalls } from '../write/operations.ts';

/** `carryOut` with what is drawn for each call: the time by `clock`, this process as the `caller`, and the credential that came with it. */
export function drawing(carryOut: CarryOutCall, clock: Clock, caller: Caller): CallOperationNow {
  return ({ credential, ...call }) => carryOut(call, { nowMs: clock.nowMs(), caller, credential });
}

/** What opens the operations of a database. */
export interface CallsOrder extends OperationSettings {
  readonly path: string;
  /** Makes a missing database. */
  readonly create: boolean;
  readonly time: SharedTime | undefined;
}

export interface OpenCalls {
  readonly database: Database;
  /** Blocks this thread until a write is on disk. */
  readonly call: CallOperationNow;
  close(): void;
}

/**
 * Opens a database for operations of `caller`, with its shared lock, beside a running `serve` or without one.
 *
 * @throws StoreError when there is no database (and none is to be made), it is not ours, or its schema is older or newer
 */
export function openOperationCalls({ path, create, time, ...options }: CallsOrder, caller: Caller): OpenCalls {
  const clock = clockOf(time);
  const { database, expectWritten, close } = create ? openOrCreate(path, clock.nowMs()) : openToWrite(path);
  try {
    return {
      database,
      call: checked(drawing(operationCalls(withLateStatements(database), options), clock, caller), expectWritten),
      close,
    };
  } catch (error) {
    close();
    throw storeError(error, path);
  }
}

/** `call` between two `expectWritten`: a result counts only when it is in the file that the next start opens. */
export function checked(call: CallOperationNow, expectWritten: () => void): CallOperationNow {
  return (called) => {
    expectWritten(); // its commit may make a file long again that was cut
    const result = call(called);
    expectWritten();
    return result;
  };
}
