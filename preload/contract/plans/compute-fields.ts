import { choice, number, path, type TrainingFieldGroup, wholeNumber } from './training-field';
import { WRITER_MEMORY_SHARE, WRITER_NAMES } from './writers';

/** Fields for the training of language models: what writes the answers, and where it computes. */
export const COMPUTE_FIELD_GROUPS: readonly TrainingFieldGroup[] = [
  {
    id: 'writer',
    title: 'Who writes the answers',
    formula: '',
    fields: [
      {
        id: 'writer.engine',
        label: 'Engine',
        help: 'Each learner writes itself, which is right for small models, or an engine does.',
        placeholder: 'none: the learners',
        kind: choice(...Object.entries(WRITER_NAMES).map(([value, label]) => ({ value, label }))),
        optional: true,
        only: 'model',
      },
      {
        id: 'writer.publish',
        label: 'New weights by',
        help: 'If nothing is chosen: a new adapter, or a restart where all weights are trained. A restart is always right, and slow.',
        placeholder: 'as fits the training',
        kind: choice(
          { value: 'restart', label: 'restart' },
          { value: 'reload', label: 'reload of all weights' },
          { value: 'adapter', label: 'new adapter' },
        ),
        optional: true,
        only: 'model',
      },
      {
        id: 'writer.python',
        label: 'Python of the engine',
        help: 'On the machine.',
        placeholder: 'the training’s own',
        kind: path(4_096),
        optional: true,
        only: 'model',
      },
      {
        id: 'writer.memoryShare',
        label: 'Share of each GPU',
        help: 'Of its memory, for the engine; its learner gets the rest.',
        placeholder: String(WRITER_MEMORY_SHARE),
        kind: number(0.05, 0.95),
        optional: true,
        only: 'model',
      },
    ],
  },
  {
    id: 'compute',
    title: 'Where it computes',
    formula: '',
    fields: [
      {
        id: 'device',
        label: 'Device',
        help: '',
        kind: choice(
          { value: 'auto', label: 'GPU if there is one' },
          { value: 'cuda', label: 'GPU' },
          { value: 'cpu', label: 'processors' },
        ),
        only: 'model',
      },
      {
        id: 'dtype',
        label: 'Numbers',
        help: 'Of the computation and of frozen weights; trained weights are float32. On processors without instructions for bfloat16 (AVX-512 BF16 or AMX) it takes 3 to 8 times as long as float32.',
        kind: choice({ value: 'float32', label: 'float32' }, { value: 'bfloat16', label: 'bfloat16' }),
        only: 'model',
      },
      {
        id: 'processes',
        label: 'Processes of each learner',
        help: 'GPUs that a model is divided among. More than one needs an engine that writes the answers.',
        kind: wholeNumber(1, 64),
        only: 'model',
      },
      {
        id: 'threads',
        label: 'Threads of each learner',
        help: 'On processors. Empty: all cores, divided among the learners.',
        kind: wholeNumber(1, 256),
        optional: true,
        only: 'model',
      },
    ],
  },
];
