import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { _electron, chromium } from '@playwright/test';
import { build } from 'vite';

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'";
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/**
 * Builds the app over the sample (BUILD=0: uses the last build; PREVIEW: the build folder), serves it on localhost
 * under the app's own content policy, and opens a browser: the program that CHROMIUM names, else the project's
 * Electron (needs a display, e.g. `xvfb-run -a node ...`). Returns { browser, url, close }.
 */
export async function openPreview() {
  if (process.env.BUILD !== '0') await build({ configFile: join(import.meta.dirname, 'vite.config.ts') });
  const built = resolve(process.env.PREVIEW ?? 'node_modules/.cache/preview');
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    readFile(join(built, path === '/' ? 'index.html' : path.replaceAll('..', ''))).then(
      (bytes) =>
        response
          .writeHead(200, {
            'content-type': TYPES[extname(path)] ?? 'text/html',
            'content-security-policy': CONTENT_SECURITY_POLICY,
            'cache-control': 'max-age=3600',
          })
          .end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const browser = await openBrowser();
  return {
    browser,
    url: `http://127.0.0.1:${server.address().port}/`,
    close: async () => {
      await browser.close();
      server.close();
    },
  };
}

async function openBrowser() {
  const args = ['--no-sandbox', '--enable-precise-memory-info'];
  if (process.env.CHROMIUM !== undefined) {
    return await chromium.launch({ executablePath: process.env.CHROMIUM, args });
  }
  const electron = await _electron.launch({
    executablePath: process.env.MARS2_ELECTRON ?? createRequire(import.meta.url)('electron'),
    env: { ...process.env, ELECTRON_DISABLE_SECURITY_WARNINGS: 'true' },
    args: [...args, await emptyApp()],
  });
  return {
    newPage: async ({ viewport }) => {
      const page = await electron.firstWindow();
      await page.setViewportSize(viewport);
      return page;
    },
    close: () => electron.close(),
  };
}

/** The folder of an Electron app that opens one empty window. */
async function emptyApp() {
  const folder = await mkdtemp(join(tmpdir(), 'mars2-preview-'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'preview', main: 'main.cjs' }));
  await writeFile(
    join(folder, 'main.cjs'),
    `const { app, BrowserWindow } = require('electron');
app.whenReady().then(() => new BrowserWindow({ width: 1400, height: 1000 }).loadURL('about:blank'));
`,
  );
  return folder;
}
