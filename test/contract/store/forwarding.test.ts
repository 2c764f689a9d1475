import { proveGuarantees } from './proving.ts';

proveGuarantees('outbox');
