import { proveGuarantees } from './proving.ts';

proveGuarantees('records', 'tracking', 'requests', 'statements');
