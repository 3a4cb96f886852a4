import { shellWord } from '../../base';

/** Stands for the home folder of the user on the machine; no path of anybody's holds this private character. */
const HOME = '\uE000';

/** A path as a person writes it: a leading "~" means the home folder on the machine, which only the shell there knows. */
export function homePath(path: string): string {
  const trimmed = path.trim().replace(/(?<=.)\/+$/, '');
  return trimmed === '~' || trimmed.startsWith('~/') ? `${HOME}${trimmed.slice(1)}` : trimmed;
}

/** Absolute, or from the home folder. */
export function isPlace(path: string): boolean {
  return /^(\/|~$|~\/)/.test(path.trim());
}

/** One word for a POSIX shell, in which the home folder is filled in by that shell, also amid other text (JSON). */
export function homeWord(text: string): string {
  if (!text.includes(HOME)) return shellWord(text);
  return text
    .split(HOME)
    .map((part) => (part === '' ? '' : shellWord(part)))
    .join('"$HOME"');
}

/** As a person would write it. */
export function homeWords(text: string): string {
  return text.replaceAll(HOME, '~');
}
