import { tokenDigest } from '../../src/domain/access/token.ts';
import { openStore } from '../../src/store/open.ts';

// Asks, approves and carries out, in a process of its own: `approving-process.ts DATABASE ADA GRACE`, with the tokens of both. Tests kill it.

const [, , database = '', ada = '', grace = ''] = process.argv;
const operations = await openStore(database).operations();
const as = (token: string) => operations.as({ kind: 'token', digest: tokenDigest(token) });
process.on('disconnect', () => process.exit(1));
process.send?.('begins');
const asked = { act: 'target.enable', order: { target: 'shop' }, by: 'Ada', reason: 'it answers again' } as const;
const request = await as(ada).approvals.ask(asked);
if (request.outcome !== 'done') throw new Error(request.message);
process.send?.('asked');
await as(grace).approvals.approve({ id: request.request.id, by: 'Grace' });
process.send?.('approved');
await as(ada).outbox.enable({ target: 'shop', by: 'Ada' });
process.send?.('done');
await operations.close();
process.exit();
