-- Payouts that share the name of one transfer: the same payout twice.
CREATE INDEX payouts_session ON payouts (session_id) WHERE session_id IS NOT NULL;
