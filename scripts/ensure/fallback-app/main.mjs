// Does what Electron's own default app does, which the fallback runtime lacks: starts the app in the folder that is
// the first argument. Copied into the runtime; runs in Electron's main process.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const manifestOf = (folder) => join(folder, 'package.json');
const argument = process.argv.slice(1).find((text) => !text.startsWith('-') && existsSync(manifestOf(text)));

if (argument === undefined) {
  process.stderr.write('This Electron starts the app in a folder: name one that holds a package.json.\n');
  app.exit(1);
} else {
  const folder = resolve(argument);
  const manifest = JSON.parse(readFileSync(manifestOf(folder), 'utf8'));
  const name = manifest.productName ?? manifest.name;
  app.setAppPath(folder);
  if (name) app.setName(name);
  if (manifest.version) app.setVersion(manifest.version);
  // Electron settled on the folder for its data when it still went by its own name.
  app.setPath('userData', join(app.getPath('appData'), app.getName()));
  Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true });
  // Awaited, so that `ready` waits for the app's first lines, as it does for an app that is the entry itself.
  await import(pathToFileURL(join(folder, manifest.main ?? 'index.js')).href);
}
