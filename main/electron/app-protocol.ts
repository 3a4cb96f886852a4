import { readFileSync } from 'node:fs';
import { extname, join, normalize, sep } from 'node:path';
import { protocol } from 'electron';

/**
 * No remote origin, no eval, no inline script. Inline styles are allowed because the component library, the
 * terminal and the code view write style elements at run time; styles cannot run code.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/** Must run before Electron is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: 'workbench',
      // codeCache: what V8 made of a script is kept in the data folder and used again while the script is the same.
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
}

/** Serves the built renderer from `folder`, and nothing outside it. */
export function serveApp(folder: string): void {
  const root = normalize(folder + sep);
  protocol.handle('workbench', (request) => {
    const url = new URL(request.url);
    const path = normalize(
      join(root, decodeURIComponent(url.pathname === '/' ? '/index.html' : url.pathname)),
    );
    if (url.host !== 'app' || !path.startsWith(root)) return new Response('Not found', { status: 404 });
    try {
      // At once: four turns of this process's loop for each file take longer than reading it, and the first frame waits.
      return new Response(readFileSync(path), {
        headers: {
          'Content-Type': MEDIA_TYPES[extname(path)] ?? 'application/octet-stream',
          'Content-Security-Policy': CONTENT_SECURITY_POLICY,
          'X-Content-Type-Options': 'nosniff',
        },
      });
    } catch {
      return new Response('Not found', { status: 404 });
    }
  });
}
