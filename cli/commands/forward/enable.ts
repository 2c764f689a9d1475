import { orAsk } from '../../context/asking.ts';
import { configFrom } from '../../context/config.ts';
import { operationsOf } from '../../context/operations.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { PERSON_OPTIONS, personOf, REASON_OPTION } from '../../options/person.ts';
import { namedTarget } from '../../options/targets.ts';
import { print, printJson } from '../../show/output.ts';

/** `tallyhook forward enable TARGET`: lets rows of a disabled target leave again, and ends its rest or hold. */
export function addForwardEnableCommand(cli: Cli): Cli {
  return cli.command(
    'enable <target>',
    'Let news leave again for a target that answered 410; ends a rest or hold too',
    (command) =>
      command
        .positional('target', { type: 'string', demandOption: true, describe: 'Its name in the configuration' })
        .option('as', PERSON_OPTIONS.as)
        .options(REASON_OPTION)
        .example('$0 forward enable shop', 'After its application takes news again'),
    async (argv) => {
      const by = personOf(argv);
      const config = await configFrom(argv);
      const { name } = namedTarget(argv.target, config);
      const operations = await operationsOf(config);
      try {
        const enabled = await orAsk(() => operations.outbox.enable({ target: name, by }), argv, {
          ...{ by, ...operations },
          asked: () => ({ act: 'target.enable', order: { target: name } }),
        });
        if (enabled === null) return;
        if (!enabled)
          throw new UsageError(`The database knows no target ${name}.`, 'serve takes targets over when it starts.');
        if (argv.json) printJson({ target: name, enabled: true });
        else print(`Target ${name} is enabled; its rows leave within a second while serve runs`);
      } finally {
        await operations.close();
      }
    },
  );
}
