import type { PlantedFault, Rule } from '../../../src/sandbox/index.ts';
import type { Cli } from '../../options/options.ts';
import { printList, wholeList } from '../../show/list.ts';
import { note, print, printJson } from '../../show/output.ts';
import { CONNECTION_OPTIONS, callSandbox } from './connection.ts';

/** `sandbox chaos list · add · load · clear · faults`. */
export function addChaosControls(cli: Cli): Cli {
  return cli.command('chaos', 'Show, add or remove chaos rules at run time', (command) =>
    [addList, addAdd, addLoad, addClear, addFaults]
      .reduce((all, add) => add(all), command as unknown as Cli)
      .demandCommand(1, 'list, add, load, clear or faults?'),
  ) as unknown as Cli;
}

function addList(cli: Cli): Cli {
  return cli.command(
    'list',
    'List the rules',
    (list) => list.options(CONNECTION_OPTIONS).example('$0 sandbox chaos list --json', 'With every field'),
    async (argv) => {
      const { rules } = await callSandbox<{ rules: Rule[] }>(argv, 'GET', '/chaos');
      await printList(wholeList(rules), argv, {
        json: (rule) => rule,
        columns: [
          { header: 'ID', value: ({ id }) => id },
          { header: 'RULE', value: ({ id, ...rule }) => JSON.stringify(rule) },
        ],
        empty: 'No chaos rules.',
      });
    },
  );
}

function addAdd(cli: Cli): Cli {
  return cli.command(
    'add <rule>',
    'Add a rule, written in YAML',
    (add) =>
      add
        .positional('rule', { type: 'string', demandOption: true, describe: 'In the form of a chaos file' })
        .options(CONNECTION_OPTIONS)
        .example("$0 sandbox chaos add '{do: drop, probability: 0.1}'", 'Lose every tenth webhook')
        .example("$0 sandbox chaos add '{do: server_error, paths: [/api/v1/refund*], limit: 3}'", 'Fail three times'),
    async (argv) => {
      const { readRule } = await import('./chaos-input.ts');
      printRules([await callSandbox<Rule>(argv, 'POST', '/chaos', readRule(argv.rule))], argv.json);
    },
  );
}

function addLoad(cli: Cli): Cli {
  return cli.command(
    'load <file>',
    'Add the rules and settings of a chaos file',
    (load) =>
      load
        .positional('file', { type: 'string', demandOption: true })
        .options(CONNECTION_OPTIONS)
        .example('$0 sandbox chaos load chaos.yaml', 'Beside the rules that are there'),
    async (argv) => {
      const { chaosFileAt } = await import('./chaos-input.ts');
      const { rules = [], settings, seed } = chaosFileAt(argv.file);
      if (seed !== undefined) note('The seed of the file was ignored: a seed is set only when a sandbox starts.');
      if (settings) await callSandbox(argv, 'PATCH', '/settings', settings);
      const added: Rule[] = [];
      for (const rule of rules) added.push(await callSandbox<Rule>(argv, 'POST', '/chaos', rule));
      if (added.length > 0 || argv.json) printRules(added, argv.json);
      else note('The file has no rules.');
    },
  );
}

function addClear(cli: Cli): Cli {
  return cli.command(
    'clear [id]',
    'Remove one rule, or all',
    (clear) =>
      clear
        .positional('id', { type: 'string' })
        .options(CONNECTION_OPTIONS)
        .example('$0 sandbox chaos clear', 'Every rule'),
    async (argv) => {
      const path = argv.id === undefined ? '/chaos' : `/chaos/${encodeURIComponent(argv.id)}`;
      const { rules } = await callSandbox<{ rules: Rule[] }>(argv, 'DELETE', path);
      if (argv.json) printJson(rules);
      else print(`${rules.length} ${rules.length === 1 ? 'rule' : 'rules'} left`);
    },
  );
}

function addFaults(cli: Cli): Cli {
  return cli.command(
    'faults',
    'List the planted faults',
    (faults) =>
      faults
        .options(CONNECTION_OPTIONS)
        .example('$0 sandbox chaos faults --json', 'To compare with what a receiver found'),
    async (argv) => {
      const { faults } = await callSandbox<{ faults: PlantedFault[] }>(argv, 'GET', '/chaos');
      await printList(wholeList(faults), argv, {
        json: (fault) => fault,
        columns: [
          { header: 'AT', value: (row) => row.at, leaveOut: 2 },
          { header: 'FAULT', value: (row) => row.do },
          { header: 'TARGET', value: (row) => row.target, leaveOut: 1 },
          { header: 'REFERENCE', value: (row) => row.reference },
          { header: 'NOTE', value: (row) => row.note, wraps: true },
        ],
        empty: 'No planted faults.',
      });
    },
  );
}

function printRules(rules: readonly Rule[], json: boolean | undefined): void {
  if (json) {
    printJson(rules);
    return;
  }
  for (const { id, ...rule } of rules) print(`${id}  ${JSON.stringify(rule)}`);
}
