import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Version and build of the program in the folder `project`, e.g. "0.1.0+3f2a9c1d": two builds of one version need not
 * understand each other. Just the version where it was not built as for users.
 */
export function programVersion(project: string, version: string): string {
  try {
    return `${version}+${readFileSync(join(project, 'out', 'main', 'build-id'), 'utf8')
      .trim()
      .slice(0, 40)}`;
  } catch {
    return version;
  }
}
