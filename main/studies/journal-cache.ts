import { stat } from 'node:fs/promises';
import type { Refusal } from '../../preload/contract/index';
import { ok, type Result } from '../base/index';
import { type JournalReading, readJournal } from '../storage/index';

/** The runs of one study are viewed together: three configurations, a few seeds. */
const MOST_OPEN = 12;

/**
 * Journals of runs that do not run now, kept open for reading: parsing one from its beginning for every node that is
 * viewed would be slow. Damaged journals and those of a read-only folder work too. `release` closes those of a study that
 * starts.
 */
export class JournalCache {
  /** Least recently used first. */
  readonly #open = new Map<string, Promise<Result<JournalReading, Refusal>>>();

  /** null: this run has no journal yet. */
  async get(path: string): Promise<Result<JournalReading | null, Refusal>> {
    let journal = this.#open.get(path);
    if (journal === undefined) {
      const exists = await stat(path).then(
        () => true,
        () => false,
      );
      if (!exists) return ok(null);
      journal = this.#open.get(path) ?? readJournal(path);
    }
    this.#open.delete(path);
    this.#open.set(path, journal);
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= MOST_OPEN) break;
      await this.#close(oldest);
    }
    const opened = await journal;
    if (!opened.ok) this.#open.delete(path);
    return opened;
  }

  /** Closes the journals of these paths, by default all. */
  async release(paths: Iterable<string> = [...this.#open.keys()]): Promise<void> {
    for (const path of paths) await this.#close(path);
  }

  async #close(path: string): Promise<void> {
    const journal = await this.#open.get(path);
    this.#open.delete(path);
    if (journal?.ok) await journal.value.close();
  }
}
