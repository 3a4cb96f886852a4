import { shellWord } from '../../base';

/** Placeholder for the user's home folder on the machine: a private-use character that no real path contains. */
const HOME = '\uE000';

/** Parses a user's path: a leading "~" means the home folder on the machine, which only the shell there knows. */
export function homePath(path: string): string {
  const trimmed = path.trim().replace(/(?<!\/)\/+$/, '') || (path.trim() === '' ? '' : '/');
  return trimmed === '~' || trimmed.startsWith('~/') ? `${HOME}${trimmed.slice(1)}` : trimmed;
}

/** Quotes a word for a POSIX shell, which fills in the home folder, even inside other text such as JSON. */
export function shellWordWithHome(text: string): string {
  if (!text.includes(HOME)) return shellWord(text);
  return text
    .split(HOME)
    .map((part) => (part === '' ? '' : shellWord(part)))
    .join('"$HOME"');
}

/** Removes a folder of a training on its machine. */
export function removeScript(path: string): string {
  return `rm -rf -- ${shellWordWithHome(path)}`;
}

/** Formats the path for display, with "~" for the home folder. */
export function withTilde(text: string): string {
  return text.replaceAll(HOME, '~');
}
