import { expect, it } from 'vitest';
import { applyRecipe, importWith, type Recipe, typeErrors } from '../../support/recipe';

// CONTRIBUTING.md, "Add a screen": a folder of its own and entries in three other files.

const RECIPE: Recipe = {
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
        "import { LibraryScreen } from './library/index';",
        "\nimport { NotebookScreen } from './notebook/index';",
      ],
      ['      return <LibraryScreen />;', "\n    case 'notebook':\n      return <NotebookScreen />;"],
    ],
    'renderer/shell/screens.ts': [
      [
        "covers: ['library'] },",
        "\n  { label: 'Notebook', icon: IconBooks, route: { kind: 'notebook' }, covers: ['notebook'] },",
      ],
    ],
  },
};

it('a screen is added by its own folder and entries in three other files', async () => {
  expect(Object.keys(RECIPE.touches).length).toBeLessThanOrEqual(3);
  const overlay = applyRecipe(RECIPE);
  expect(typeErrors(overlay, /\bRoute\b|\bparsePath\b|\bpathOf\b/)).toEqual([]);
  const { route, path } = await importWith(
    overlay,
    `
import { parsePath, pathOf } from './renderer/state/routes';
export const route = parsePath('/notebook');
export const path = pathOf(route);
`,
  );
  expect(route).toEqual({ kind: 'notebook' });
  expect(path).toBe('/notebook');
});
