/** One setting of a proposed profile; `why` is null for what the person said or what cannot be otherwise. */
export interface Setting {
  readonly path: readonly string[];
  readonly value: string | number | boolean | null | readonly string[];
  readonly why: string | null;
}

/** Adds a setting by its path, with points; nothing for a value that is missing. */
export type Add = (path: string, value: Setting['value'] | undefined, why: string | null) => void;
