import { shellPath } from '../../../base';

/** Run folders are one or two levels deep; deeper files do not belong to the training. */
const MAX_DEPTH = 4;

/** A folder that is not what it was taken for may hold any number. */
const MAX_FILES = 1_000;

/** Prints the event files below the folders, one per line; an absent folder has none. */
export function eventFilesScript(folders: readonly string[]): string {
  return `for folder in ${folders.map(shellPath).join(' ')}; do
  [ -d "$folder" ] && find -L "$folder" -maxdepth ${MAX_DEPTH} -type f -name '*tfevents*' 2>/dev/null
done | head -n ${MAX_FILES}
exit 0`;
}
