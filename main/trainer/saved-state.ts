import { join } from 'node:path';
import { TrainerError } from './trainer-error';
import { readOptional } from './run-folder';
import { stateSchema, type TrainerState } from './trainer-state';
import type { TrainingInput } from './training-input';

const STATE_FILE = 'state.json';

/** Where an earlier session stopped; null: there was none, or it did not come to a first state. */
export async function readState(folder: string, input: TrainingInput): Promise<TrainerState | null> {
  const path = join(folder, STATE_FILE);
  const text = await readOptional(path);
  if (text === null) return null;
  const state = stateSchema.safeParse(parsed(text));
  if (!state.success) {
    throw new TrainerError({
      code: 'bad-input',
      message: `${path} is not the state of a pocket training that this version can go on from.`,
      hint: 'Choose another folder, or delete the file to begin anew.',
    });
  }
  if (JSON.stringify(state.data.input) !== JSON.stringify(input)) {
    throw new TrainerError({
      code: 'conflict',
      message: `${folder} holds a training with other settings.`,
      hint: 'Choose another folder, or start it with the settings that it was begun with.',
    });
  }
  return state.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
