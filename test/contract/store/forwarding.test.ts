import { proveClaims } from './proving.ts';

proveClaims('outbox');
