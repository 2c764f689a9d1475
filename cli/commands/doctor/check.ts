/** The result of one check. The detail of `skipped` gives the reason. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  /** What the check found. */
  readonly detail: string;
  /** What to do about it; with `warning` and `failed`. */
  readonly hint?: string;
}

export const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail });
export const warning = (name: string, detail: string, hint: string): Check => ({
  name,
  status: 'warning',
  detail,
  hint,
});
export const failed = (name: string, detail: string, hint: string): Check => ({ name, status: 'failed', detail, hint });
export const skipped = (name: string, detail: string): Check => ({ name, status: 'skipped', detail });
