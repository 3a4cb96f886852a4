import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parsedJson } from '../../../base/index';
import { TrainerError } from '../../trainer-error';
import type { EngineClient } from './engine-client';
import { BASE_NAME, type EngineSettings } from './engine-command';
import { type EngineHost, type RunningEngine, startEngine, waitUntilReady } from './engine-process';
import { sglangClient } from './sglang-client';
import { type VllmClient, vllmClient } from './vllm-client';

/** Weights as the learner has exported them: a model's folder, or an adapter's. */
export type PublishedFolder = {
  /** Unlike that of every earlier publication, of earlier sessions too. */
  readonly label: string;
  readonly path: string;
};

/** An engine of one agent, which takes over new weights in one of the ways of `publish`. Methods throw TrainerError. */
export type EnginePublisher = {
  readonly client: () => EngineClient;
  /** Frees what learning needs: the process (restart), or its GPUs (sleep). */
  readonly rest: () => Promise<void>;
  /** Answers by these weights from now on; says so only after the engine has said so itself. */
  readonly publish: (folder: PublishedFolder) => Promise<void>;
  readonly dispose: () => Promise<void>;
};

export type PublisherOptions = {
  readonly settings: EngineSettings;
  readonly host: EngineHost;
  readonly endIds: readonly number[];
};

/** Starts the engine on the model as it is before training (or before `publish` brings a saved state). */
export async function openPublisher(options: PublisherOptions): Promise<EnginePublisher> {
  const { engine, gpus, publish, model } = options.settings;
  if (engine === 'vllm' && gpus === 0 && publish === 'reload' && (await hasTiedEmbeddings(model))) {
    throw new TrainerError({
      code: 'bad-input',
      message: `On processors vLLM (0.32) keeps the old output matrix when it reloads a model with tied embeddings, as ${model} is.`,
      hint: 'Choose --publish restart.',
    });
  }
  return options.settings.engine === 'vllm' ? openVllm(options) : openSglang(options);
}

/** Whether the model's config.json says that one matrix reads and writes tokens. */
async function hasTiedEmbeddings(model: string): Promise<boolean> {
  const config = parsedJson(await readFile(join(model, 'config.json'), 'utf8').catch(() => ''));
  return typeof config === 'object' && config !== null && Reflect.get(config, 'tie_word_embeddings') === true;
}

/** Where the folder of a publication must have been read from; the engine may resolve links. */
function isFolder(root: string | null, path: string): boolean {
  return root !== null && join(root) === join(path);
}

async function openVllm({ settings, host, endIds }: PublisherOptions): Promise<EnginePublisher> {
  const { publish: way, adapter, gpus } = settings;
  const isAdapter = adapter !== null;
  let running: { readonly engine: RunningEngine; readonly client: VllmClient } | null = null;
  let loaded: string | null = null;
  let isAsleep = false;

  const start = async (model: string): Promise<VllmClient> => {
    const engine = await startEngine({ ...settings, model }, host);
    const client = vllmClient(engine.http, BASE_NAME, endIds);
    await waitUntilReady(engine, client.isReady);
    running = { engine, client };
    loaded = null;
    return client;
  };
  const stop = async (): Promise<void> => {
    const { engine } = running ?? {};
    running = null;
    await engine?.dispose();
  };
  const current = (): VllmClient => {
    if (running === null) throw new Error('The engine is stopped');
    return running.client;
  };
  const served = async (client: VllmClient, name: string, path: string): Promise<void> => {
    const model = (await client.models()).find(({ id }) => id === name);
    if (model === undefined || !isFolder(model.root, path))
      throw client.failure(`does not serve ${path} as ${name} (${model?.root ?? 'nothing'})`);
  };
  /** Under a name that no weights had before: blocks of the prefix cache belong to a name. */
  const loadAdapter = async (client: VllmClient, { label, path }: PublishedFolder): Promise<void> => {
    await client.loadAdapter(label, path);
    client.use(label);
    await served(client, label, path);
    if (loaded !== null) await client.unloadAdapter(loaded);
    loaded = label;
  };
  const reload = async (client: VllmClient, { path }: PublishedFolder): Promise<void> => {
    await client.reload(path);
    // vLLM keeps keys and values of the old weights unless the request resets its cache.
    if (!(await client.dropCache())) throw client.failure('did not drop its prefix cache');
    if (isAsleep) await client.wake('kv_cache');
    if (await client.isPaused()) await client.resume();
    if (await client.isPaused()) throw client.failure('stays paused');
  };

  await start(settings.model);
  return {
    client: current,
    rest: async () => {
      if (way === 'restart') return stop();
      // On processors vLLM has no sleep; it answers that it has done it.
      if (gpus === 0 || isAsleep) return;
      await current().sleep(isAdapter ? 1 : 2);
      isAsleep = true;
    },
    publish: async (folder) => {
      if (way === 'restart') {
        await stop();
        const client = await start(isAdapter ? settings.model : folder.path);
        if (isAdapter) await loadAdapter(client, folder);
        else await served(client, BASE_NAME, folder.path);
        return;
      }
      const client = current();
      if (isAsleep) await client.wake('weights');
      if (isAdapter) {
        if (isAsleep) await client.wake('kv_cache');
        await loadAdapter(client, folder);
      } else await reload(client, folder);
      isAsleep = false;
    },
    dispose: stop,
  };
}

async function openSglang({ settings, host, endIds }: PublisherOptions): Promise<EnginePublisher> {
  let engine: RunningEngine | null = null;
  let client: ReturnType<typeof sglangClient> | null = null;
  const start = async (model: string): Promise<void> => {
    engine = await startEngine({ ...settings, model }, host);
    client = sglangClient(engine.http, endIds);
    await waitUntilReady(engine, client.isReady);
  };
  const stop = async (): Promise<void> => {
    await engine?.dispose();
    [engine, client] = [null, null];
  };
  await start(settings.model);
  return {
    client: () => {
      if (client === null) throw new Error('The engine is stopped');
      return client;
    },
    rest: () => (settings.publish === 'restart' ? stop() : Promise.resolve()),
    publish: async ({ path, label }) => {
      if (settings.publish === 'reload') return client?.reload(path, label);
      await stop();
      await start(path);
    },
    dispose: stop,
  };
}
