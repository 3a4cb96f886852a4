import { shellWord } from '../../base';
import { jobFiles } from './job-files';

/** Tenths of a second for the wrapper to name its process: milliseconds, but a machine that swaps takes longer. */
const PATIENCE_TENTHS = 100;

/** Exits with 3 when the working folder is absent, and says so where this attempt has begun already. */
export function beforeStartScript(cwd: string, own: string): string {
  return `
cwd=${shellWord(cwd)}
case $cwd in '~' | '~/'*) cwd=$HOME\${cwd#'~'} ;; esac
[ ! -d ${shellWord(own)} ] || { echo begun; exit 0; }
[ -d "$cwd" ] || exit 3
`;
}

/** Whoever makes the folder has the right to start; exits with 0 when the attempt has begun, else with 4. */
const KEEP_FROM_BEGINNING = `
(umask 077 && mkdir "$own") 2>/dev/null || { [ -d "$own" ] && exit 0 || exit 4; }
printf '{"code":null,"endedAt":"%s","stage":"never-began"}\\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >"$own/${jobFiles.exit}"
exit 4
`;

/** After a start that failed half-way: exits with 0 when it has begun all the same; else it never will (4). */
export function neverBeginScript(own: string): string {
  return `own=${shellWord(own)}${KEEP_FROM_BEGINNING}`;
}

/**
 * Waits until the wrapper has named its process or has ended. One that has not even begun after the patience is kept
 * from it: then nothing was started, and that stays so. Exits with 4 in that case.
 */
export function afterStartScript(own: string): string {
  return `
own=${shellWord(own)}
left=${PATIENCE_TENTHS + 5}
while [ "$left" -gt 0 ]; do
  [ ! -e "$own/${jobFiles.process}" ] || exit 0
  [ ! -e "$own/${jobFiles.exit}" ] || exit 0
  if [ "$left" -gt ${PATIENCE_TENTHS} ]; then nap=0.02; else nap=0.1; fi
  sleep "$nap" 2>/dev/null || sleep 1
  left=$((left - 1))
done
${KEEP_FROM_BEGINNING}`;
}
