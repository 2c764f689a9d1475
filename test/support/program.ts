import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFile } from '../../src/package-root.ts';

/** The folder of the built program, which `build-program.ts` sets for the workers of a run. */
export const PROGRAM_VARIABLE = 'TEST_RUN_PROGRAM_FOLDER';

/** Of the built program, which starts in less processor time than the sources; outside of a run there is none. */
const built = process.env[PROGRAM_VARIABLE];

/** The launcher of the sources, as a clone has it: for what concerns the start from them. */
export const SOURCE_LAUNCHER = packageFile('cli', 'tallyhook.js');

/** The launcher that the tests start. */
export const LAUNCHER = built === undefined ? SOURCE_LAUNCHER : join(built, 'cli', 'tallyhook.js');

/** The module of the program at a path of the sources, such as `src/serve/dashboard-process`: built, where it is an entry of the build. */
export function programModule(path: string): URL {
  return pathToFileURL(built === undefined ? packageFile(`${path}.ts`) : join(built, 'dist', `${path}.js`));
}

/** What the process of the commands imports, entries of the build that the published package does not have. */
export const COMMAND_MODULES = ['cli/options/words', 'cli/context/lean-imports', 'cli/run'] as const;
