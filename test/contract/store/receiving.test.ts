import { proveGuarantees } from './proving.ts';

proveGuarantees('inbox', 'walks', 'systemState');
