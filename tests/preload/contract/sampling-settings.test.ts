import { describe, expect, it } from 'vitest';
import { samplingSchema } from '../../../preload/contract';
import {
  SAMPLING_SETTINGS,
  samplingDifferences,
  samplingOfTexts,
  samplingText,
  textsOfSampling,
} from '../../../preload/contract/plans';

const plain = { temperature: 1, topP: 1, maxTokens: 2_048 };
const full = {
  ...plain,
  temperature: 0.6,
  topK: 20,
  minP: 0.05,
  minTokens: 8,
  contextTokens: 4_096,
  thinking: false,
  stop: ['\n\n', '```'],
  extra: { repetition_penalty: 1.05 },
};

describe('settings of how answers are drawn', () => {
  it('are those of the schema, with its limits', () => {
    expect(SAMPLING_SETTINGS.map(({ field }) => field).sort()).toEqual(
      Object.keys(samplingSchema.shape).sort(),
    );
    for (const setting of SAMPLING_SETTINGS) {
      if (setting.kind !== 'number') continue;
      const schema = samplingSchema.shape[setting.field];
      for (const limit of setting.limits) expect(schema.safeParse(limit).success, setting.field).toBe(true);
      expect(schema.safeParse(setting.limits[0] - 1).success, setting.field).toBe(false);
    }
  });

  it('are read from texts as they are written', () => {
    const { sampling, problems } = samplingOfTexts(textsOfSampling(full));
    expect(problems).toEqual([]);
    expect(samplingSchema.parse(sampling)).toEqual(full);
    expect(textsOfSampling(full).stop).toBe('\\n\\n|```');
  });

  it('name what is wrong, and leave it out', () => {
    const { sampling, problems } = samplingOfTexts({
      temperature: '11',
      topK: '1.5',
      thinking: 'maybe',
      extra: '[1]',
      maxTokens: '64',
    });
    expect(sampling).toEqual({ maxTokens: 64 });
    expect(problems.map(({ setting, message }) => `${setting.option}: ${message}`)).toEqual([
      'temperature: a number from 0 to 10, not "11"',
      'top-k: a whole number from 1 to 1000000, not "1.5"',
      'thinking: on or off, not "maybe"',
      'extra: an object of JSON such as {"repetition_penalty": 1.05}, not "[1]"',
    ]);
  });

  it('are told in words, and where two differ', () => {
    expect(samplingText({ temperature: 0.6, topK: 20, thinking: false, maxTokens: 64 })).toBe(
      'temperature 0.6, top-k 20, answers up to 64 tokens, thinking off',
    );
    expect(samplingDifferences(plain, full)).toContain('top-k all and 20');
    expect(samplingDifferences(plain, full)).toContain('temperature 1 and 0.6');
    expect(samplingDifferences(full, full)).toEqual([]);
  });

  it.each(['model', 'temperature', 'seed', 'stop'])('refuse the field "%s" among the extra ones', (name) => {
    expect(samplingSchema.safeParse({ ...plain, extra: { [name]: 1 } }).success).toBe(false);
  });
});
