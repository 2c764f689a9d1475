/** Any table that somebody asked for in SQL. Integers are bigint. */
export interface QueryResult {
  readonly columns: readonly QueryColumn[];
  readonly rows: readonly (readonly QueryValue[])[];
  /** There were more rows than asked for. */
  readonly truncated: boolean;
}
export interface QueryColumn {
  readonly name: string;
  /** The column of a table that it shows unchanged; null for an expression. */
  readonly origin: string | null;
}
export type QueryValue = null | bigint | number | string | Uint8Array;
