import { expect } from 'vitest';
import type { Recipe } from './recipe';

// CONTRIBUTING.md, "Add a screen": a folder of its own and entries in three other files.

export const screen: Recipe = {
  name: 'a screen',
  about: /\bRoute\b|\bparsePath\b|\bpathOf\b/,
  adds: {
    'renderer/notebook/index.ts': "export { NotebookScreen } from './notebook-screen';\n",
    'renderer/notebook/notebook-screen.tsx': `
import { Screen } from '../widgets/index';

export function NotebookScreen() {
  return <Screen title="Notebook">Nothing is written yet.</Screen>;
}
`,
  },
  touches: {
    'renderer/state/routes.ts': [
      ["  | { readonly kind: 'library' }", "\n  | { readonly kind: 'notebook' }"],
      [
        "  if (first === 'library' && length === 1) return { kind: 'library' };",
        "\n  if (first === 'notebook' && length === 1) return { kind: 'notebook' };",
      ],
      ["    case 'library':", "\n    case 'notebook':"],
    ],
    'renderer/app.tsx': [
      [
        "const library = () => import('./library/index');",
        "\nconst notebook = () => import('./notebook/index');",
      ],
      [
        'const LibraryScreen = lazyPart(library, (module) => module.LibraryScreen);',
        '\nconst NotebookScreen = lazyPart(notebook, (module) => module.NotebookScreen);',
      ],
      ['      return <LibraryScreen />;', "\n    case 'notebook':\n      return <NotebookScreen />;"],
    ],
    'renderer/shell/screens.ts': [
      [
        "        covers: ['library', 'benchmark'],\n      },",
        "\n  { label: 'Notebook', icon: IconBooks, route: { kind: 'notebook' }, covers: ['notebook'] },",
      ],
    ],
  },
  entry: `
import { parsePath, pathOf } from './renderer/state/routes';
export const route = parsePath('/notebook');
export const path = pathOf(route);
`,
  check: ({ route, path }) => {
    expect(route).toEqual({ kind: 'notebook' });
    expect(path).toBe('/notebook');
  },
};
