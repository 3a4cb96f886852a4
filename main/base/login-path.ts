/**
 * Lines for a POSIX shell after which PATH is that of a login. A job's shell is no login shell; the marks tell the path
 * from what a login file prints.
 */
export const LOGIN_PATH_LINES = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
  'mars2_path=$("${SHELL:-/bin/sh}" -lc \'echo "@mars2@$PATH@mars2@"\' 2>/dev/null </dev/null) || :',
  'case $mars2_path in *@mars2@?*@mars2@*)',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
  '  mars2_path=${mars2_path%@mars2@*}; PATH=${mars2_path##*@mars2@}; export PATH ;;',
  'esac',
].join('\n');
