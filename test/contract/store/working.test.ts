import { proveClaims } from './proving.ts';

proveClaims('jobs', 'pruning', 'upkeep', 'reconciliation', 'matching');
proveClaims('jobs', 'alerts', 'pruning', 'upkeep', 'reconciliation');
