import { proveGuarantees } from './proving.ts';

proveGuarantees('leases', 'checks', 'backfills');
