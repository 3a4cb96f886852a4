import { describe, expect, it } from 'vitest';
import { serverLaunchSchema } from '../../../preload/contract';
import { LAUNCH_PRESETS } from '../../../preload/contract/plans';
import {
  checkLaunch,
  copyOfLaunch,
  draftOfLaunch,
  firstLaunch,
  type LaunchDraft,
  launchId,
  modelName,
  withLaunchPreset,
} from '../../../renderer/servers/launch-draft';
import { sampleLab } from '../../support/sample-jobs';

const lab = sampleLab();
const gpu1 = lab.find(({ spec }) => spec.id === 'gpu1') ?? null;
const first = firstLaunch(lab, 'gpu1');
const check = (change: Partial<LaunchDraft>, taken: readonly string[] = []) =>
  checkLaunch({ ...first, ...change }, gpu1, taken);
const ids = gpu1?.gpus?.gpus.map(({ id }) => id) ?? [];

describe('the form of a launch', () => {
  it('opens with a model of the papers, sized for the machine, that main takes as it is', () => {
    const { launch, errors } = check({});
    expect(errors).toEqual([]);
    expect(serverLaunchSchema.parse(launch)).toEqual(launch);
    expect(launch).toMatchObject({ id: 'qwen3-8b', model: 'Qwen3-8B', machineId: 'gpu1', gpus: 1 });
  });

  describe('on a machine that has no GPU', () => {
    const bare =
      gpu1?.gpus == null ? null : { ...gpu1, gpus: { ...gpu1.gpus, gpus: [], problems: [] as string[] } };

    it('opens with an engine that needs none', () => {
      expect(firstLaunch(bare === null ? [] : [bare], 'gpu1')).toMatchObject({
        engine: 'llama-cpp',
        gpuMode: 'none',
      });
    });

    it('asks for none when a model is chosen', () => {
      const [preset] = LAUNCH_PRESETS;
      if (preset === undefined) throw new Error('no preset');
      expect(withLaunchPreset(first, preset, bare)).toMatchObject({
        gpuMode: 'none',
        weights: preset.weights,
      });
    });

    it('warns of a launch that asks for one, but not where the GPUs could not be read', () => {
      const warned = (machine: typeof bare) => checkLaunch(first, machine, []).warnings.join();
      expect(warned(bare)).toContain('has no GPU, so this server cannot start there.');
      const named = (engine: typeof first.engine) =>
        checkLaunch({ ...first, engine }, bare, [])
          .warnings.join()
          .includes('an engine that needs none');
      expect([named('vllm'), named('llama-cpp')]).toEqual([true, false]);
      const unread = bare && { ...bare, gpus: { ...bare.gpus, problems: ['nvidia-smi failed'] } };
      expect(warned(unread)).not.toContain('has no GPU');
    });
  });

  it('of a copy has the settings of the launch, under an id and a name of its own', () => {
    const { launch } = check({ port: '8000' });
    if (launch === null) throw new Error('the launch has errors');
    const copied = checkLaunch(copyOfLaunch(draftOfLaunch(launch)), gpu1, [launch.id]).launch;
    expect(copied).toEqual({ ...launch, id: 'qwen3-8b-copy', name: 'Qwen3-8B (copy)', port: null });
  });

  it('keeps machine, engine and environment when another model is chosen', () => {
    const preset = LAUNCH_PRESETS.find(({ id }) => id === 'qwen3-32b');
    if (preset === undefined) throw new Error('no preset');
    const draft = {
      ...first,
      engine: 'sglang',
      environmentKind: 'venv',
      environmentLocation: '~/e',
    } as const;
    expect(withLaunchPreset(draft, preset, gpu1)).toMatchObject({
      engine: 'sglang',
      environmentKind: 'venv',
      environmentLocation: '~/e',
      machineId: 'gpu1',
      weights: preset.weights,
      gpus: '2',
    });
  });

  it('comes back from a saved launch as it was', () => {
    const { launch } = check({ replicas: '2', port: '8000', extraArguments: '--x', contextTokens: '' });
    if (launch === null) throw new Error('the form has errors');
    expect(checkLaunch(draftOfLaunch(launch), gpu1, [launch.id]).launch).toEqual(launch);
  });

  it('shares picked GPUs out to replicas', () => {
    const { launch } = check({ gpuMode: 'these', gpuIds: ids.slice(2, 6), replicas: '2' });
    expect(launch).toMatchObject({ gpus: 2, replicas: 2, gpuIds: ids.slice(2, 6) });
    expect(check({ gpuMode: 'these', gpuIds: ids.slice(2, 5), replicas: '2' }).errors[0]?.at).toBe(
      'replicas',
    );
  });

  it.each<[string, Partial<LaunchDraft>]>([
    ['weights', { weights: ' ', model: 'x' }],
    ['environmentLocation', { environmentKind: 'conda' }],
    ['memoryShare', { memoryShare: '100' }],
    ['port', { port: '80' }],
    ['contextTokens', { contextTokens: '12' }],
    ['gpus', { gpuMode: 'these', gpuIds: [] }],
    ['commandLine', { commandLine: ' ' }],
    ['commandLine', { commandLine: 'vllm serve x --port 8000' }],
    ['environment', { environment: [{ key: 0, name: 'A B', value: '' }] }],
  ])('says what is wrong with its %s', (at, change) => {
    expect(check(change).errors.map((error) => error.at)).toEqual([at]);
  });

  it('takes an edited command that names its port where the launch does too', () => {
    expect(check({ commandLine: 'vllm serve x --port 8000', port: '8000' }).errors).toEqual([]);
    expect(check({ commandLine: 'vllm serve x --port {port}' }).errors).toEqual([]);
  });
});

describe('names of a launch', () => {
  it('the model is called as the last part of its weights', () => {
    expect(modelName({ model: '', weights: 'Qwen/Qwen3-8B' })).toBe('Qwen3-8B');
    expect(modelName({ model: '', weights: '/models/qwen3-8b-q8_0.gguf' })).toBe('qwen3-8b-q8_0');
    expect(modelName({ model: 'mine', weights: 'Qwen/Qwen3-8B' })).toBe('mine');
  });

  it('its id is its name in small letters, and never one that is taken', () => {
    expect(launchId('Qwen3-8B (fast)', [])).toBe('qwen3-8b-fast');
    expect(launchId('Qwen3-8B', ['qwen3-8b', 'qwen3-8b-2'])).toBe('qwen3-8b-3');
    expect(launchId('新しい', [])).toBe('server');
    expect(launchId('new', [])).toBe('new-2');
  });
});
