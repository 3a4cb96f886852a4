import { shellWord } from '../../base';
import { jobFiles } from './job-files';

/** Tenths of a second for the wrapper to write its process file: milliseconds normally, longer on a swapping machine. */
const TIMEOUT_TENTHS = 100;

/** Exits with 3 if the working folder is absent; prints "begun" if this attempt has already started. */
export function beforeStartScript(cwd: string, own: string): string {
  return `
cwd=${shellWord(cwd)}
case $cwd in '~' | '~/'*) cwd=$HOME\${cwd#'~'} ;; esac
[ ! -d ${shellWord(own)} ] || { echo begun; exit 0; }
[ -d "$cwd" ] || exit 3
`;
}

/** Creating the attempt's folder claims the start; exits with 0 if the attempt has started, else with 4. */
const PREVENT_START = `
(umask 077 && mkdir "$own") 2>/dev/null || { [ -d "$own" ] && exit 0 || exit 4; }
printf '{"code":null,"endedAt":"%s","stage":"never-began"}\\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >"$own/${jobFiles.exit}"
exit 4
`;

/** After a start that failed halfway: exits with 0 if it has started anyway; otherwise it never will (4). */
export function preventStartScript(own: string): string {
  return `own=${shellWord(own)}${PREVENT_START}`;
}

/**
 * Waits until the wrapper has written its process file or has ended. If it has not started by the timeout, the start is
 * prevented permanently: exits with 4.
 */
export function afterStartScript(own: string): string {
  return `
own=${shellWord(own)}
left=${TIMEOUT_TENTHS + 5}
while [ "$left" -gt 0 ]; do
  [ ! -e "$own/${jobFiles.process}" ] || exit 0
  [ ! -e "$own/${jobFiles.exit}" ] || exit 0
  if [ "$left" -gt ${TIMEOUT_TENTHS} ]; then nap=0.02; else nap=0.1; fi
  sleep "$nap" 2>/dev/null || sleep 1
  left=$((left - 1))
done
${PREVENT_START}`;
}
