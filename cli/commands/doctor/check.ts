/** One thing that doctor looked at. `skipped` says why it could not be looked at. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  /** What was seen. */
  readonly detail: string;
  /** What to do about it. */
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
