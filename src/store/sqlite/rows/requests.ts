import type { RequestRefusal, RequestState } from '../../../domain/requests/request.ts';

/** The columns that hold a request's refusal. */
export interface RefusalColumns {
  readonly refusalStatus: number | null;
  readonly refusalMessage: string | null;
}

/** The refusal of a request's row: null unless it was refused. */
export function refusalFrom(row: RefusalColumns & { readonly state: RequestState }): RequestRefusal | null {
  const { state, refusalStatus: httpStatus, refusalMessage: message } = row;
  return state === 'refused' && (httpStatus !== null || message !== null) ? { httpStatus, message } : null;
}

export function refusalColumns(refusal: RequestRefusal | null): RefusalColumns {
  return { refusalStatus: refusal?.httpStatus ?? null, refusalMessage: refusal?.message ?? null };
}
