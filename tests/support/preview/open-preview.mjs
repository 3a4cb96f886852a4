import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { build } from 'vite';

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'";
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/**
 * Builds the app over the sample (BUILD=0: takes the last one; PREVIEW: the folder to build in), serves it on this computer alone under the app's own
 * content policy, and opens a browser (CHROMIUM names its program). Gives { browser, url, close }.
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
          })
          .end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--enable-precise-memory-info'],
  });
  return {
    browser,
    url: `http://127.0.0.1:${server.address().port}/`,
    close: async () => {
      await browser.close();
      server.close();
    },
  };
}
