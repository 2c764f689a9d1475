import { packageVersion } from '../src/package-root.ts';
import { importYargs } from './context/lean-imports.ts';
import { endWithOutput } from './context/lost-output.ts';
import { leaveWithParent } from './context/process.ts';
import { commandLine } from './options/words.ts';
import { print } from './show/output.ts';

// Every way to call the program ends here: the overview and the version need no command, and load none.
leaveWithParent();
endWithOutput();

const line = commandLine(process.argv.slice(2));
if (line.asks === 'command' || line.asks === 'completions') {
  await importYargs();
  await (await import('./run.ts')).run(line);
} else if (line.asks === 'version') print(packageVersion());
else (await import('./show/overview.ts')).printOverview();
