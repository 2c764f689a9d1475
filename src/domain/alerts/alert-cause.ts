/** What an alert may be about, the most urgent first. */
export const ALERT_CAUSES = [
  'not_kept', // genuine deliveries are answered 503 or 500, because they cannot be kept
  'damaged', // rows of the database are damaged
  'serve_not_running', // no process receives
  'disk_low', // the disk of the database is nearly full
  'cluster_unreachable', // the log that several machines share does not answer
  'cluster_unsafe', // its server may lose what it acknowledged
  'diverged', // a node has other rows than most
  'acts_lost', // the log lost acts that this machine had carried out
  'behind', // acknowledged deliveries wait to be carried out
  'aside', // acknowledged deliveries could not be carried out and were set aside
  'deliveries_refused', // genuine deliveries are refused, or could not be kept
  'keys_missing', // no key pair is configured
  'key_refused', // the service refuses our secret key
  'service_down', // the service answers no status check
  'silent', // a channel has no webhook for much longer than usual
  'lost_webhooks', // the sweep settles too many records before any webhook
  'target_disabled', // a forwarding target answered 410
  'dead_letter', // news for a forwarding target was given up
  'logins_refused', // more attempts to log in than an account or an address has
  'user_reset', // a token was given on the machine, without a proof
  'bad_signatures', // a burst of requests whose signature is wrong
  'body_too_large', // answered 413
  'content_encoding', // answered 415
  'quarantined', // authentic events that say nothing we can use
  'variant', // other contents under the key of a kept event
  'disagreement', // every other open finding
  'unexplained', // a balance that the last run could not explain
  'exceptions_overdue', // exceptions not resolved in time, claims past their follow-up
  'no_statement', // the next statement of an account does not come
  'period_not_closed', // a month that should be closed by now
  'job_failed',
  'job_overdue',
  'backup_old', // the run after the latest good backup has been missed
  'checks_overdue', // status checks are due and are not made
  'forwarding_behind', // a target takes less news than comes
  'forwarding_late', // a target does not take its news
  'stuck', // records that do not settle
  'unproven', // an endpoint for status checks that has never given a usable answer
  'audit_key_lost', // entries of the audit chain need a key file that is gone
  'key_expires', // the last key pair of an environment
  'old_key_used', // a pair that ends soon still verifies deliveries
  'clock_off', // this machine's clock is not that of the service
  'log_large', // the write-ahead log is not moved into the database
] as const;
export type AlertCause = (typeof ALERT_CAUSES)[number];

/** The most severe first. */
export const SEVERITIES = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** `critical`: money or events are lost until a person acts. `warning`: a person acts today. `info`: worth knowing. */
export const STANDARD_SEVERITY = {
  not_kept: 'critical',
  damaged: 'critical',
  serve_not_running: 'critical',
  disk_low: 'critical',
  cluster_unreachable: 'critical',
  cluster_unsafe: 'critical',
  diverged: 'critical',
  acts_lost: 'critical',
  behind: 'critical',
  aside: 'critical',
  deliveries_refused: 'critical',
  keys_missing: 'critical',
  key_refused: 'critical',
  service_down: 'warning',
  silent: 'critical',
  lost_webhooks: 'warning',
  target_disabled: 'critical',
  dead_letter: 'critical',
  logins_refused: 'warning',
  user_reset: 'warning',
  bad_signatures: 'warning',
  body_too_large: 'warning',
  content_encoding: 'warning',
  quarantined: 'warning',
  variant: 'warning',
  disagreement: 'warning',
  unexplained: 'warning',
  exceptions_overdue: 'warning',
  no_statement: 'warning',
  period_not_closed: 'warning',
  job_failed: 'warning',
  job_overdue: 'warning',
  backup_old: 'warning',
  checks_overdue: 'warning',
  forwarding_behind: 'warning',
  forwarding_late: 'warning',
  stuck: 'warning',
  unproven: 'warning',
  audit_key_lost: 'warning',
  key_expires: 'warning',
  old_key_used: 'warning',
  clock_off: 'warning',
  log_large: 'warning',
} as const satisfies Record<AlertCause, Severity>;

/** Where notices of alerts go. */
export const ALERT_CHANNELS = ['log', 'webhook', 'mail'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];
