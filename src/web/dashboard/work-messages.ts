import type { Config } from '../../config/load.ts';
import type { Plain } from '../../config/plain.ts';
import { type ErrorKind, TallyhookError } from '../../domain/error.ts';
import { StoreError, type StoreFault } from '../../store/error.ts';
import type { Answer, Route, UploadedFile, Visitor } from './route.ts';

// Messages between the dashboard and the process of a route that is `aside`.

/** What the process of a route is given: the route by its name, because its function cannot be sent. */
export interface WorkOrder {
  readonly route: Pick<Route, 'method' | 'path'>;
  readonly visitor: Visitor;
  readonly params: Readonly<Record<string, string>>;
  readonly query: string;
  readonly form: string;
  readonly files: Readonly<Record<string, UploadedFile>>;
  readonly address: string;
  readonly uploads: string;
  readonly config: Plain<Config>;
}

export type ToWork =
  | { readonly type: 'begin'; readonly order: WorkOrder }
  /** The session of the visitor goes on under another credential. */
  | { readonly type: 'proved'; readonly digest: string }
  /** The visitor no longer waits: end what can be ended in order. */
  | { readonly type: 'stop' };

export type FromWork =
  | { readonly type: 'progress'; readonly done: number; readonly total: number | null }
  | { readonly type: 'answer'; readonly answer: Answer }
  | {
      readonly type: 'failed';
      readonly kind: ErrorKind;
      /** Of the store. */
      readonly fault: StoreFault | null;
      readonly message: string;
      readonly hint: string | undefined;
    };

/** A work that failed, with what was asked for: a form is not lost by it. */
export class FailedWork extends Error {
  readonly why: Error;
  readonly asked: Pick<WorkOrder, 'route' | 'address' | 'form'>;

  constructor(why: Error, asked: FailedWork['asked']) {
    super(why.message);
    this.why = why;
    this.asked = asked;
  }
}

/** What the process says that it failed by, as the error that it was there. */
export function failureOf({ kind, fault, message, hint }: Extract<FromWork, { type: 'failed' }>): TallyhookError {
  const next = hint === undefined ? {} : { hint };
  return fault === null ? new TallyhookError(message, { kind, ...next }) : new StoreError(fault, message, next);
}
