/** What one examination found, for `doctor`. The detail of `skipped` gives the reason. */
export interface Examined {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  /** What was found. */
  readonly detail: string;
  /** What to do about it; with `warning` and `failed`. */
  readonly hint?: string;
}

export const ok = (name: string, detail: string): Examined => ({ name, status: 'ok', detail });
export const warning = (name: string, detail: string, hint: string): Examined => ({
  name,
  status: 'warning',
  detail,
  hint,
});
export const failed = (name: string, detail: string, hint: string): Examined => ({
  name,
  status: 'failed',
  detail,
  hint,
});
export const skipped = (name: string, detail: string): Examined => ({ name, status: 'skipped', detail });
