import { proveClaims } from './proving.ts';

proveClaims('inbox', 'walks', 'standing');
