/** Commands of the documents that documents-commands.test.ts does not run, each with the reason. */
export const LEFT_OUT: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npm ci$/, 'installs this checkout; the gate begins with it'],
  [/^npm run demo$/, 'demo.test.ts runs it'],
  [/^npm install \.\/tallyhook-\*\.tgz fastify$/, 'package.test.ts installs the tarball'],
  [
    / doctor --public-url https:\/\/hooks\.example\.com$/,
    'there is no such host; server-install.test.ts has one and runs it there',
  ],
  [/^(install -m 644|systemctl) /, 'needs a server; server-install.test.ts has one and runs it there'],
  [/^npm install --global --ignore-scripts \.\/tallyhook-\*\.tgz$/, 'package.test.ts installs the tarball'],
  [/^rsync /, 'there is no other machine'],
  [/^tallyhook sandbox --seed 7/, 'runs until it is stopped; one runs here already'],
  [
    /^tallyhook sandbox refunds move RFD_0123456789ABCDEF /,
    'the reference stands for yours; docs/sandbox.md moves a real one',
  ],
  [/tallyhook completion bash\)/, 'is for bash, and changes your profile; cli-completion.test.ts sources it in a bash'],
  [/^tallyhook matches (confirm|undo) \d+ /, 'the numbers stand for yours; cli-matches.test.ts confirms and undoes'],
  [/^tallyhook breaks show x-/, 'the id stands for yours; cli-breaks.test.ts shows one'],
  [/^tallyhook events tail /, 'runs until it is stopped; cli-events.test.ts follows events'],
  [/^tallyhook events replay --target shop /, 'needs a target of yours; cli-outbox.test.ts replays to one'],
  [
    /^tallyhook exceptions (show|assign|resolve|approve) x-/,
    'the id stands for yours; guide.test.ts works through some',
  ],
  [
    /^(tallyhook users add|export TALLYHOOK_TOKEN=ada\.…)/,
    'from then on each act needs a token, also those of the pages behind it; cli-users.test.ts adds users',
  ],
  [
    /^tallyhook (statements remove 3|approvals (show|approve|carry-out) 5)\b/,
    'the numbers stand for yours; cli-approvals.test.ts asks, approves and carries out',
  ],
  [/^TALLYHOOK_TEST_PUBLIC_KEY=pk_test_… /, 'has no keys, and runs until it is stopped'],
];

/** Sections whose commands another test runs to the letter. */
export const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/operations.md#Install on a server': 'server-install.test.ts',
  'docs/operations.md#A finance user beside the service': 'server-install.test.ts',
  'docs/sandbox.md': 'sandbox-docs.test.ts',
  'docs/month.md': 'guide.test.ts',
  'docs/closing.md#Closing a month': 'guide.test.ts',
  'docs/closing.md#The journal': 'cli-journal.test.ts',
};
