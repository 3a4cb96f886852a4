import type { Sampling } from '../sampling';

type SettingKind =
  | {
      readonly kind: 'number';
      readonly limits: readonly [least: number, most: number];
      readonly isWhole: boolean;
    }
  /** Separated by "|"; \n stands for a line end. */
  | { readonly kind: 'texts' }
  | { readonly kind: 'switch' }
  /** An object of JSON. */
  | { readonly kind: 'fields' };

export type SamplingSetting = SettingKind & {
  readonly field: keyof Sampling;
  /** In the terminal. */
  readonly option: string;
  readonly label: string;
  /** What an empty field means. */
  readonly fallback: string;
};

const number = (least: number, most: number): SettingKind => ({
  kind: 'number',
  limits: [least, most],
  isWhole: false,
});
const whole = (least: number, most: number): SettingKind => ({
  kind: 'number',
  limits: [least, most],
  isWhole: true,
});

/** Every setting of how an agent's answers are drawn, with the limits of samplingSchema (a test compares them). */
export const SAMPLING_SETTINGS: readonly SamplingSetting[] = [
  { field: 'temperature', option: 'temperature', label: 'Temperature', fallback: '1', ...number(0, 10) },
  { field: 'topP', option: 'top-p', label: 'Top-p', fallback: '1', ...number(0.001, 1) },
  { field: 'topK', option: 'top-k', label: 'Top-k', fallback: 'all', ...whole(1, 1_000_000) },
  { field: 'minP', option: 'min-p', label: 'Min-p', fallback: '0', ...number(0, 1) },
  {
    field: 'maxTokens',
    option: 'max-tokens',
    label: 'Max answer',
    fallback: '2048 tokens',
    ...whole(1, 1_000_000),
  },
  {
    field: 'minTokens',
    option: 'min-tokens',
    label: 'Min answer',
    fallback: '0 tokens',
    ...whole(1, 1_000_000),
  },
  {
    field: 'contextTokens',
    option: 'context',
    label: 'Context',
    fallback: 'not limited',
    ...whole(64, 10_000_000),
  },
  {
    field: 'thinking',
    option: 'thinking',
    label: 'Thinking',
    fallback: "the model's default",
    kind: 'switch',
  },
  { field: 'stop', option: 'stop', label: 'Stop texts', fallback: 'none', kind: 'texts' },
  {
    field: 'extra',
    option: 'extra',
    label: 'More request fields',
    fallback: '{"repetition_penalty": 1.05}',
    kind: 'fields',
  },
];

type SamplingPart = { readonly [K in keyof Sampling]?: Sampling[K] | undefined };
export type SamplingTexts = Readonly<Partial<Record<keyof Sampling, string>>>;
export type SamplingProblem = { readonly setting: SamplingSetting; readonly message: string };

/** The settings as entered, empty texts left out; with a sentence for each that is not valid. */
export function samplingOfTexts(texts: SamplingTexts): {
  readonly sampling: Partial<Sampling>;
  readonly problems: readonly SamplingProblem[];
} {
  const sampling: Record<string, unknown> = {};
  const problems: SamplingProblem[] = [];
  for (const setting of SAMPLING_SETTINGS) {
    const text = texts[setting.field]?.trim() ?? '';
    if (text === '') continue;
    const value = readSetting(setting, text);
    if (value === undefined) problems.push({ setting, message: expectation(setting, text) });
    else sampling[setting.field] = value;
  }
  return { sampling: sampling as Partial<Sampling>, problems };
}

/** The settings as texts, as a form shows them. */
export function textsOfSampling(sampling: SamplingPart): SamplingTexts {
  return Object.fromEntries(
    SAMPLING_SETTINGS.flatMap(({ field, kind }) => {
      const value = sampling[field];
      if (value === undefined) return [];
      if (kind === 'switch') return [[field, value ? 'on' : 'off']];
      if (kind === 'texts') return [[field, (value as string[]).map(escaped).join('|')]];
      return [[field, kind === 'fields' ? JSON.stringify(value) : String(value)]];
    }),
  );
}

/** "temperature 0.6, top-k 20, thinking off": the settings that are given, for lists and notes. */
export function samplingText(sampling: SamplingPart): string {
  const texts = textsOfSampling(sampling);
  return SAMPLING_SETTINGS.flatMap(({ field, option }) => {
    const text = texts[field];
    if (text === undefined) return [];
    if (field === 'maxTokens') return [`answers up to ${text} tokens`];
    if (field === 'contextTokens') return [`context of ${text} tokens`];
    return [`${field === 'extra' ? 'more request fields' : option} ${text}`];
  }).join(', ');
}

/** Settings in which two samplings differ, in words: "temperature 1 and 0.6". */
export function samplingDifferences(one: Sampling, other: Sampling): readonly string[] {
  const [texts, others] = [textsOfSampling(one), textsOfSampling(other)];
  return SAMPLING_SETTINGS.flatMap(({ field, label, fallback }) => {
    const [text, otherText] = [texts[field], others[field]];
    if (text === otherText) return [];
    const unset = field === 'extra' ? 'none' : fallback;
    return [`${label.toLowerCase()} ${text ?? unset} and ${otherText ?? unset}`];
  });
}

function readSetting(setting: SamplingSetting, text: string): unknown {
  switch (setting.kind) {
    case 'number': {
      const value = Number(text);
      const [least, most] = setting.limits;
      const isValid = value >= least && value <= most && (!setting.isWhole || Number.isInteger(value));
      return isValid ? value : undefined;
    }
    case 'switch':
      return text === 'on' ? true : text === 'off' ? false : undefined;
    case 'texts': {
      const stops = text.split('|').map((part) => part.replaceAll('\\n', '\n'));
      const areValid = stops.length <= 8 && stops.every(({ length }) => length > 0 && length <= 200);
      return areValid ? stops : undefined;
    }
    default:
      return objectOf(text);
  }
}

function objectOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function expectation(setting: SamplingSetting, text: string): string {
  switch (setting.kind) {
    case 'number': {
      const [least, most] = setting.limits;
      return `${setting.isWhole ? 'a whole number' : 'a number'} from ${least} to ${most}, not "${text}"`;
    }
    case 'switch':
      return `on or off, not "${text}"`;
    case 'texts':
      return `at most 8 texts of at most 200 characters, separated by |`;
    default:
      return `an object of JSON such as {"repetition_penalty": 1.05}, not "${text}"`;
  }
}

function escaped(text: string): string {
  return text.replaceAll('\n', '\\n');
}
