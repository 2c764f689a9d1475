/** A guess about a file, with its reason. */
export interface Guess<Value> {
  readonly value: Value;
  readonly why: string;
}
