import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Recipe } from './recipe';

// CONTRIBUTING.md, "Add a server engine": a file of its own and entries in three others.

/** Like transformers' own server in all but its name and command. */
const engineSource = readFileSync('main/servers/logic/engines/transformers.ts', 'utf8')
  .replace('export const transformers', 'export const toyServe')
  .replace("engine: 'transformers'", "engine: 'toy-serve'")
  .replace(/title: '[^']*'/, "title: 'Toy'");

export const engine: Recipe = {
  name: 'an engine',
  about: /\bEngine\b|\bENGINES\b|\bengineSchema\b/,
  adds: { 'main/servers/logic/engines/toy-serve.ts': engineSource },
  touches: {
    'preload/contract/launch.ts': [
      ["z.enum(['vllm', 'sglang', 'llama-cpp', 'ollama', 'transformers'", ", 'toy-serve'"],
    ],
    'main/servers/logic/engines/index.ts': [
      ["import { sglang } from './sglang';", "\nimport { toyServe } from './toy-serve';"],
      ['  sglang,', "\n  'toy-serve': toyServe,"],
    ],
    'renderer/servers/engines.ts': [
      ["  transformers: 'transformers',", "\n  'toy-serve': 'Toy',"],
      ["  'transformers',", "\n  'toy-serve',"],
      [
        "  transformers: 'Qwen/Qwen3-8B, or a folder on the machine',",
        "\n  'toy-serve': 'a folder on the machine',",
      ],
    ],
  },
  entry: `
import { ENGINES } from './main/servers/logic/engines';
import { serverLaunchSchema } from './preload/contract';
export const launch = serverLaunchSchema.parse({
  id: 'toy', name: 'Toy', machineId: 'local', engine: 'toy-serve', model: 'toy', weights: '/toy',
});
export const kind = { title: ENGINES[launch.engine].title, command: ENGINES[launch.engine].commandLine(launch) };
`,
  check: ({ launch, kind }) => {
    expect(launch).toMatchObject({ engine: 'toy-serve' });
    expect(kind).toMatchObject({ title: 'Toy', command: expect.stringContaining('/toy') });
  },
};
