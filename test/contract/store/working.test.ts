import { proveClaims } from './proving.ts';

proveClaims('jobs', 'alerts', 'pruning', 'upkeep', 'reconciliation', 'matching');
