-- A refund that came back has a type of its own. A CHECK changes only in the text of the schema (SQLite, ALTER TABLE, "Making other kinds
-- of table schema changes"): the rows stay as they are, however many there are.
PRAGMA writable_schema = ON;

UPDATE sqlite_schema
SET sql = replace(sql, 'type = ''refund'' OR', 'type = ''refund'' OR type = ''refund_reversal'' OR')
WHERE type = 'table' AND name = 'imported_lines';

PRAGMA writable_schema = RESET;

-- Connections that are open read the schema again when a definition changes.
CREATE VIEW refund_reversal AS SELECT 1;
DROP VIEW refund_reversal;
