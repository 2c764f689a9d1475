-- What a path does not name is searched first in it: without pg_temp at its end, a temporary type of the caller, named as one of
-- PostgreSQL's, brought its own code into a function that runs with the rights of the owner.

ALTER FUNCTION tallyhook.append SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION tallyhook.refuse_while_others_live SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION tallyhook.mark_left SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION tallyhook.raise_epoch SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION tallyhook.adopt SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION tallyhook.see SET search_path = pg_catalog, pg_temp;
