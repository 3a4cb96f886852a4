import {
  flagValue,
  MARTI_FLAGS,
  type MartiFlagValue,
  type MartiPreset,
} from '../../preload/contract/plans/index';
import type { MartiTraining } from '../../preload/contract/training-spec';
import { ABSOLUTE_PATH, type Checked, type FieldError, isAbsolutePath, missing, wrong } from './form-errors';
import { flagError } from './marti-flag-draft';

export type MartiAgentDraft = {
  readonly key: number;
  readonly model: string;
  readonly role: string;
  readonly isReasoning: boolean;
};

export type MartiDraft = {
  readonly preset: MartiPreset;
  readonly checkout: string;
  readonly python: string;
  readonly agents: readonly MartiAgentDraft[];
  readonly data: string;
  readonly output: string;
  /** Empty: the program starts its own Ray. */
  readonly rayAddress: string;
  /** Values by flag, as entered; only those that differ from the preset. */
  readonly flags: Readonly<Record<string, string>>;
  readonly extraArguments: string;
};

type MartiPresetInfo = {
  readonly id: MartiPreset;
  readonly name: string;
  readonly line: string;
  /** Minimum and maximum number of agents. */
  readonly agents: readonly [number, number];
};

export const MARTI_PRESETS: readonly MartiPresetInfo[] = [
  {
    id: 'grpo',
    name: 'Vanilla GRPO',
    line: 'One model, no tree: the answers to one problem form a group.',
    agents: [1, 1],
  },
  { id: 'single', name: 'RS²', line: 'One model alone in its search trees.', agents: [1, 1] },
  {
    id: 'shared',
    name: 'Homo-MARS²',
    line: 'One model in several roles that share trees and weights.',
    agents: [2, 8],
  },
  {
    id: 'multi',
    name: 'Heter-MARS²',
    line: 'Independent models share trees; each learns from its own nodes.',
    agents: [2, 8],
  },
];

export function presetInfo(preset: MartiPreset): MartiPresetInfo {
  const info = MARTI_PRESETS.find(({ id }) => id === preset);
  if (info === undefined) throw new Error(`No preset ${preset}`);
  return info;
}

const QWEN = 'Qwen/Qwen3-8B';
const BOBA = 'inclusionAI/AReaL-boba-2-8B';

function agent(key: number, model: string): MartiAgentDraft {
  return { key, model, role: 'generator', isReasoning: false };
}

export const EMPTY_MARTI: MartiDraft = {
  preset: 'multi',
  checkout: '',
  python: 'python3',
  agents: [agent(0, QWEN), agent(1, BOBA)],
  data: '',
  output: '',
  rayAddress: '',
  flags: {},
  extraArguments: '',
};

export function draftOfMarti(training: MartiTraining): MartiDraft {
  const { kind: _kind, agents, flags, rayAddress, ...same } = training;
  return {
    ...same,
    agents: agents.map((agent, key) => ({ key, ...agent })),
    rayAddress: rayAddress ?? '',
    flags: Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, String(value)])),
  };
}

/** Switches the preset: keeps changed flags, and adds or drops agents to fit. */
export function withMartiPreset(draft: MartiDraft, preset: MartiPreset): MartiDraft {
  const [least, most] = presetInfo(preset).agents;
  const agents = draft.agents.slice(0, most);
  while (agents.length < least) {
    const model = preset === 'shared' ? (agents[0]?.model ?? QWEN) : BOBA;
    agents.push(agent(nextKey(agents), model));
  }
  return { ...draft, preset, agents };
}

export function withMartiAgent(draft: MartiDraft): MartiDraft {
  const model = draft.preset === 'shared' ? (draft.agents[0]?.model ?? '') : '';
  return { ...draft, agents: [...draft.agents, agent(nextKey(draft.agents), model)] };
}

function nextKey(agents: readonly MartiAgentDraft[]): number {
  return Math.max(-1, ...agents.map(({ key }) => key)) + 1;
}

export function checkMarti(draft: MartiDraft): Checked<MartiTraining> {
  const errors: FieldError[] = [];
  const path = (at: 'checkout' | 'data' | 'output', question: string): string => {
    const text = draft[at].trim();
    if (text === '') errors.push(missing(at, question));
    else if (!isAbsolutePath(text)) errors.push(wrong(at, ABSOLUTE_PATH));
    return text;
  };
  const checkout = path('checkout', 'Enter the path of the MARTI repository.');
  const data = path('data', 'Enter the folder with the train and test files.');
  const output = path('output', 'Enter the folder for logs and checkpoints.');
  const python = draft.python.trim();
  if (python === '') errors.push(missing('python', "Enter the Python that has MARTI's packages."));
  const { name, agents: most } = presetInfo(draft.preset);
  const many = draft.agents.length;
  if (many < most[0]) errors.push(wrong('agents', `${name} needs at least ${most[0]} agents.`));
  if (many > most[1]) errors.push(wrong('agents', `${name} takes at most ${most[1]} agents.`));
  for (const { key, model, role } of draft.agents) {
    if (model.trim() === '') errors.push(missing(`agent ${key}`, 'Choose a model.'));
    if (role.trim().length > 60) errors.push(wrong(`role ${key}`, 'At most 60 characters.'));
  }
  const flags: Record<string, MartiFlagValue> = {};
  for (const flag of MARTI_FLAGS) {
    const text = draft.flags[flag.name];
    if (text === undefined) continue;
    const message = flagError(flag, text, draft.preset);
    if (message !== null) errors.push(wrong(`flag.${flag.name}`, message));
    else if (text.trim() !== '') flags[flag.name] = flagValue(flag, text.trim());
  }
  const rayAddress = draft.rayAddress.trim();
  return {
    errors: errors,
    warnings: warningsOf(draft),
    value: {
      kind: 'marti',
      preset: draft.preset,
      checkout,
      python,
      agents: draft.agents.map(({ model, role, isReasoning }) => ({
        model: model.trim(),
        role: role.trim() === '' ? 'generator' : role.trim(),
        isReasoning,
      })),
      data,
      output,
      rayAddress: rayAddress === '' ? null : rayAddress,
      flags,
      extraArguments: draft.extraArguments.trim(),
    },
  };
}

function warningsOf({ preset, agents }: MartiDraft): readonly string[] {
  const models = new Set(agents.map(({ model }) => model.trim()).filter((model) => model !== ''));
  if (preset === 'shared' && models.size > 1) {
    return ['All roles use the first model; the other models are ignored.'];
  }
  if (preset === 'multi' && agents.length > 1 && models.size === 1) {
    return ['All agents start from the same model, each with its own weights.'];
  }
  return [];
}
