import type { Cli } from '../options/options.ts';
import { COMPLETIONS_OF } from '../options/words.ts';
import { SUMMARY } from '../overview.ts';
import { printVerbatim } from '../show/output.ts';

/** `tallyhook completion bash`: a script for a shell, which asks the program what may come next. */
export function addCompletionCommand(cli: Cli): Cli {
  return cli.command(
    'completion <shell>',
    SUMMARY.completion,
    (command) =>
      command
        .positional('shell', { choices: ['bash', 'zsh'] as const, demandOption: true, describe: 'Your shell' })
        .example('source <($0 completion bash)', 'In this shell; in ~/.bashrc for every one')
        .example('source <($0 completion zsh)', 'As above, in ~/.zshrc after compinit'),
    ({ shell }) => printVerbatim(SCRIPTS[shell]),
  );
}

// Each script calls the program by the name that is being typed, so it also works as ./cli/tallyhook.js. Without a
// candidate the shell completes file names.

const BASH = `_tallyhook() {
  local IFS=$'\\n' word="\${COMP_WORDS[COMP_CWORD]}"
  [[ $word == = ]] && word= # a line such as --environment= comes as two words
  COMPREPLY=($(compgen -W "$("\${COMP_WORDS[0]}" ${COMPLETIONS_OF} "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)" -- "$word"))
}
complete -o default -o nosort -F _tallyhook tallyhook tallyhook.js`;

const ZSH = `_tallyhook() {
  local -a candidates
  candidates=("\${(@f)$("\${words[1]}" ${COMPLETIONS_OF} "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${candidates[1]}" ]]; then compadd -a candidates; else _files; fi
}
compdef _tallyhook tallyhook tallyhook.js`;

const SCRIPTS = { bash: BASH, zsh: ZSH } as const;
