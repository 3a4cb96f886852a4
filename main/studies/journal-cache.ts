import type { Refusal } from '../../preload/contract/index';
import { ok, RecentMap, type Result } from '../base/index';
import { type JournalReading, readJournal } from '../storage/index';
import { exists } from './study-files';

/** The runs of one study are viewed together: three configurations, a few seeds. */
const MAX_OPEN = 12;

/**
 * Journals of runs that do not run now, kept open for reading: parsing one from its beginning for every node that is
 * viewed would be slow. Damaged journals and those of a read-only folder work too. `release` closes those of a study that
 * starts.
 */
export class JournalCache {
  readonly #open = new RecentMap<string, Promise<Result<JournalReading, Refusal>>>(MAX_OPEN);

  /** null: this run has no journal yet, or its file was moved away. */
  async get(path: string): Promise<Result<JournalReading | null, Refusal>> {
    if (!(await exists(path))) {
      // An open file can be read after its removal, but nobody else sees what is in it.
      await this.release([path]);
      return ok(null);
    }
    let journal = this.#open.get(path);
    if (journal === undefined) {
      journal = readJournal(path);
      for (const dropped of this.#open.set(path, journal)) await close(dropped);
    }
    const opened = await journal;
    if (!opened.ok) this.#open.delete(path);
    return opened;
  }

  /** Closes the journals of these paths, by default all. */
  async release(paths: Iterable<string> = this.#open.keys()): Promise<void> {
    for (const path of paths) {
      const journal = this.#open.get(path);
      this.#open.delete(path);
      if (journal !== undefined) await close(journal);
    }
  }
}

async function close(journal: Promise<Result<JournalReading, Refusal>>): Promise<void> {
  const opened = await journal;
  if (opened.ok) await opened.value.close();
}
