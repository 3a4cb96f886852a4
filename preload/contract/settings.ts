import { z } from 'zod';
import { LOCAL_MACHINE } from './folds/local-machine';

/** Up to when a model has training data: "2024-10" or "2024-10-31". */
export const trainingCutoffSchema = z.union([z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/), z.iso.date()], {
  error: 'is not a month (2024-10) or a day (2024-10-31)',
});

/** More models have no lab, and a file of settings is read whole. */
const MAX_CUTOFFS = 1_000;

/** Without defaults: a change of one setting must not set another. */
export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  railCollapsed: z.boolean(),
  /** Sizes of resizable panes by group name, in percent. */
  panes: z.record(z.string(), z.array(z.number())),
  /** Allow grading without a sandbox on this computer: off until the user has confirmed it. */
  gradeWithoutSandbox: z.boolean(),
  /** Machine that grades candidates. */
  gradingMachine: z.string().min(1),
  /** Path of the Python that grades on this computer; null: the best that is found (docs/grading.md). */
  gradingPython: z.string().max(4_096).regex(/^\/./, 'is not an absolute path').nullable(),
  /** Programs that pass the static check share a process of the sandbox (docs/sandbox.md); false: none do. */
  harmlessTogether: z.boolean(),
  /** Which events send a desktop notification. */
  notify: z.object({ done: z.boolean(), failed: z.boolean(), stalled: z.boolean() }),
  /** Minutes without output after which a running job counts as stalled; null: never. */
  stalledMinutes: z.number().int().min(1).max(10_080).nullable(),
  /** Gigabytes (10^9 bytes) that a log of a job may take on its machine, from its next start on; null: any number. */
  jobLogGb: z.number().min(0.1).max(100_000).nullable(),
  /** Gets a POST with JSON for each of these notices; null: none. */
  webhookUrl: z.url({ protocol: /^https?$/ }).nullable(),
  /** What becomes of running work when the window is closed. */
  onClose: z.enum(['ask', 'service', 'stop']),
  /** What work costs: GPU-hours where a model runs on the lab's own GPUs, else its tokens. null: not known. */
  prices: z.object({
    /** Three letters, e.g. "EUR". */
    currency: z.string().regex(/^[A-Z]{3}$/, 'is not a currency in three capital letters, such as EUR'),
    perGpuHour: z.number().nonnegative().nullable(),
    /** Prompt and completion tokens alike. */
    perMillionTokens: z.number().nonnegative().nullable(),
  }),
  /** Training cut-offs by the name of the model, as servers and recordings have it. */
  modelCutoffs: z
    .record(z.string().min(1).max(200), trainingCutoffSchema)
    .refine((all) => Object.keys(all).length <= MAX_CUTOFFS, `has more than ${MAX_CUTOFFS} models`),
});
export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = {
  theme: 'system',
  railCollapsed: false,
  panes: {},
  gradeWithoutSandbox: false,
  gradingMachine: LOCAL_MACHINE,
  gradingPython: null,
  harmlessTogether: true,
  notify: { done: true, failed: true, stalled: true },
  stalledMinutes: null,
  // A log that people read has some megabytes, one of a long training some hundred; a hundred jobs at the limit still
  // fit on a common disk.
  jobLogGb: 1,
  webhookUrl: null,
  onClose: 'ask',
  prices: { currency: 'USD', perGpuHour: null, perMillionTokens: null },
  modelCutoffs: {},
};

/** Settings as an earlier version may have saved them: what it did not know gets its default. */
export const savedSettingsSchema = z.object({
  ...settingsSchema.shape,
  gradingMachine: settingsSchema.shape.gradingMachine.default(defaultSettings.gradingMachine),
  gradingPython: settingsSchema.shape.gradingPython.default(defaultSettings.gradingPython),
  harmlessTogether: settingsSchema.shape.harmlessTogether.default(defaultSettings.harmlessTogether),
  notify: settingsSchema.shape.notify.default(defaultSettings.notify),
  stalledMinutes: settingsSchema.shape.stalledMinutes.default(defaultSettings.stalledMinutes),
  jobLogGb: settingsSchema.shape.jobLogGb.default(defaultSettings.jobLogGb),
  webhookUrl: settingsSchema.shape.webhookUrl.default(defaultSettings.webhookUrl),
  onClose: settingsSchema.shape.onClose.default(defaultSettings.onClose),
  prices: settingsSchema.shape.prices.default(defaultSettings.prices),
  modelCutoffs: settingsSchema.shape.modelCutoffs.default(defaultSettings.modelCutoffs),
});
