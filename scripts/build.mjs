// Builds the app into out/ when it is stale; `npm start` and `npm test` do so automatically.
import { createReporter, ensure, ensureBuilt, runScript } from './ensure/index.mjs';

await runScript(async () => {
  const reporter = createReporter(process.stderr);
  await ensure([], reporter);
  await ensureBuilt(reporter);
});
