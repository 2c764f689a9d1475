-- The events that are quarantined or unknown, in order: a page of them reads no other event.
CREATE INDEX events_not_observed ON events (id) WHERE state <> 'observed';
