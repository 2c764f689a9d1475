import { proveClaims } from './proving.ts';

proveClaims('leases', 'checks', 'backfills');
