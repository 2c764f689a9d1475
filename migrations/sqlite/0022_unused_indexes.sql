-- No query used them: waiting notices are read in the order of their ids, and erasures under way by their account.
DROP INDEX alert_notices_waiting;
DROP INDEX erased_texts_open;
