import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Disposable, DisposableStore } from '../../base';
import type { SshProgram } from '../logic/ssh-arguments';
import type { Terminal } from '../terminal';
import { SshLink } from './link';
import type { Question } from './master';

type HostLink = {
  readonly link: SshLink;
  /** Of its socket. */
  readonly path: string;
  readonly owned: DisposableStore;
};

type HostLinksOptions = {
  readonly ssh: SshProgram;
  /** For sockets. */
  readonly folder: string;
  readonly now: () => number;
  /** Time between heartbeats. */
  readonly beatMs: number;
  readonly onChange: (host: string) => void;
  readonly offerLogin: (
    host: string,
    login: Terminal,
    question: Question,
  ) => Disposable & { readonly terminalId: string };
};

/** The connections to hosts: one for each, however many machines of the user are on it. */
export class HostLinks {
  readonly #options: HostLinksOptions;
  readonly #links = new Map<string, HostLink>();
  readonly #ending = new Set<Promise<unknown>>();

  constructor(options: HostLinksOptions) {
    this.#options = options;
  }

  /** Made on the first call; it connects when it is used. */
  of(host: string): HostLink {
    const existing = this.#links.get(host);
    if (existing !== undefined) return existing;
    const { ssh, folder, now, beatMs, offerLogin, onChange } = this.#options;
    const name = createHash('sha256').update(host).digest('hex').slice(0, 8) + randomBytes(4).toString('hex');
    const path = join(folder, name);
    const link = new SshLink({
      socket: { ssh, path, host },
      now,
      beatMs,
      offerLogin: (login, question) => offerLogin(host, login, question),
    });
    const owned = new DisposableStore();
    owned.add(link.onChange(() => onChange(host)));
    const entry = { link, path, owned };
    this.#links.set(host, entry);
    return entry;
  }

  existing(host: string): SshLink | undefined {
    return this.#links.get(host)?.link;
  }

  /** Ends connections that no machine uses any more. */
  endUnless(isUsed: (host: string) => boolean): void {
    for (const host of [...this.#links.keys()]) if (!isUsed(host)) this.#end(host);
  }

  /** After sleep. */
  wake(): void {
    // A dead connection reports itself by its state.
    for (const { link } of this.#links.values()) void link.wake();
  }

  /** Resolves when all are closed. */
  async dispose(): Promise<void> {
    this.endUnless(() => false);
    await Promise.all(this.#ending);
  }

  #end(host: string): void {
    const entry = this.#links.get(host);
    this.#links.delete(host);
    entry?.owned.dispose();
    const done = Promise.resolve(entry?.link.dispose()).finally(() => this.#ending.delete(done));
    this.#ending.add(done);
  }
}
