import type { GpuDay, GpuDayStep, ModelTraining } from '../../../../preload/contract';
import type { DeviceKind } from './memory';
import { numberBytes, SAMPLE_ROWS, updateCost } from './work';

/** What a GPU day has shown of its device, from which the time of other models there follows. */
export type MeasuredSpeed = {
  /** Of the model that was trained, and the ISO day. */
  readonly model: string;
  readonly day: string;
  /** Floating-point operations a second of the passes of updates. */
  readonly operations: number;
  /** Seconds for one token of the answers that were written together, divided by their number. */
  readonly tokenSeconds: number;
  readonly rows: number;
  readonly parameters: number;
  readonly layers: number;
  readonly bytesPerParameter: number;
};

/**
 * The speed that a training like `spec` may expect of a device of this kind; null: the day measured another kind of device,
 * or its steps failed. Tokens a second are those of the writer: an engine, or the learner itself. Of an update: 12 or 10
 * operations for each parameter and token of prompt and answer (`updateCost`).
 */
export function measuredSpeed(
  day: GpuDay,
  spec: Pick<ModelTraining, 'writer' | 'objective'>,
  device: DeviceKind,
): MeasuredSpeed | null {
  const { model, settings } = day;
  if ((day.device.gpus.length === 0 ? 'processor' : 'gpu') !== device) return null;
  if (model.parameters === null || model.layers === null) return null;
  const wanted: readonly GpuDayStep['id'][] =
    spec.writer === undefined ? ['learner'] : ['reload', 'adapter', 'restart'];
  const step = wanted.flatMap(
    (id) => day.steps.find((step) => step.id === id && step.state === 'done') ?? [],
  )[0];
  if (step === undefined) return null;
  const value = (key: string): number => step.values[key] ?? Number.NaN;
  const answers = settings.batch * value('tokens');
  const learningSeconds =
    ((answers / value('tokens-per-second')) * value('time-learning')) / value('time-writing');
  const lora = step.id === 'learner' || step.id === 'adapter' ? { rank: 16, alpha: 32 } : null;
  const { perToken } = updateCost({ lora, objective: spec.objective });
  const tokens = settings.batch * (value('tokens') + value('prompt-tokens'));
  const speed = {
    ...{ model: model.name, day: day.startedAt.slice(0, 10) },
    operations: (perToken * model.parameters * tokens) / learningSeconds,
    tokenSeconds: 1 / value('tokens-per-second'),
    rows: Math.min(SAMPLE_ROWS, settings.batch),
    ...{ parameters: model.parameters, layers: model.layers },
    bytesPerParameter: numberBytes(settings),
  };
  const isUsable = [speed.operations, speed.tokenSeconds].every((rate) => rate > 0 && rate < Infinity);
  return isUsable ? speed : null;
}
