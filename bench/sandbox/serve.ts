import { startSandbox } from '../../src/sandbox/index.ts';

// A sandbox in a process of its own: sends its parent its address, and stops when the parent does.
const sandbox = await startSandbox({ seed: 7, webhookUrl: process.argv[2] ?? '' });
process.send?.({ url: sandbox.url, secretKey: sandbox.keys.test.secretKey });
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({
    problems: sandbox.books().problems.length,
    rssBytes: process.memoryUsage().rss,
    cpuMicros: user + system,
  });
});
process.on('disconnect', () => process.exit());
