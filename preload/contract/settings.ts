import { z } from 'zod';

export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  railCollapsed: z.boolean(),
  /** Sizes of resizable panes by group name, in percent. */
  panes: z.record(z.string(), z.array(z.number())),
  /** Allow grading without a sandbox on this computer: asked for in words, off unless the user says so. */
  gradeWithoutSandbox: z.boolean(),
});
export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = {
  theme: 'system',
  railCollapsed: false,
  panes: {},
  gradeWithoutSandbox: false,
};
