import { readFile } from 'node:fs/promises';
import { type PaperSettings, paperSettingsSchema } from '../../preload/contract/index';
import { pathText } from '../base/index';
import { UsageError } from './cli-options';

/** Problems of a file to print at most. */
const MAX_PROBLEMS = 10;

/** The settings of a reproduction at paper scale, from a file of JSON. */
export async function readPaperSettings(path: string): Promise<PaperSettings> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`The file ${path} cannot be read.`);
  });
  let json: unknown = null;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UsageError(`The file ${path} is not JSON.`);
  }
  const settings = paperSettingsSchema.safeParse(json);
  if (settings.success) return settings.data;
  const problems = settings.error.issues.slice(0, MAX_PROBLEMS).map(({ path: at, message }) => {
    const key = at.length === 0 ? '' : `"${pathText(at)}": `;
    return `  ${key}${message}.`;
  });
  const keys = Object.keys(paperSettingsSchema.shape).join(', ');
  throw new UsageError(
    [`The file ${path} cannot be used:`, ...problems, `Its keys are: ${keys}.`].join('\n'),
  );
}
