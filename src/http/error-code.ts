/** The system's own error behind an error of a request. */
export interface InnermostError {
  readonly code: string;
  readonly syscall: string | undefined;
  readonly name: string;
}

/** Returns the last error of the chain of causes, the system's own; an AggregateError holds one per address tried. */
export function innermostError(error: unknown): InnermostError {
  let current: unknown = error;
  for (let depth = 0; depth < 8; depth++) {
    const { cause, errors } = Object(current) as { cause?: unknown; errors?: unknown[] };
    const next = cause ?? errors?.[0];
    if (next === undefined) break;
    current = next;
  }
  const { code, syscall, name = 'Error' } = Object(current) as Partial<NodeJS.ErrnoException>;
  return { code: typeof code === 'string' ? code : '', syscall, name };
}
