/**
 * Shell lines that set PATH as a login shell has it, because a job's shell is not a login shell. The marks separate the
 * path from anything that a login file prints.
 */
export const LOGIN_PATH_LINES = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
  'mars2_path=$("${SHELL:-/bin/sh}" -lc \'echo "@mars2@$PATH@mars2@"\' 2>/dev/null </dev/null) || :',
  'case $mars2_path in *@mars2@?*@mars2@*)',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
  '  mars2_path=${mars2_path%@mars2@*}; PATH=${mars2_path##*@mars2@}; export PATH ;;',
  'esac',
].join('\n');
