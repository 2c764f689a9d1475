import { proveGuarantees } from './proving.ts';

proveGuarantees('jobs', 'alerts', 'pruning', 'upkeep', 'reconciliation', 'matching', 'access');
