import { proveClaims } from './proving.ts';

proveClaims('records', 'tracking', 'requests', 'statements');
