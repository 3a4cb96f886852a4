import { z } from 'zod';
import type { Answer } from '../../preload/contract/index';

const path = z.string().min(1);
/** What commands that write files answer: one path, or a list of files. */
const writtenSchema = z.object({
  path: path.optional(),
  files: z.array(z.object({ path })).optional().catch([]),
});

/** The files that this window has written: a page may show these in their folder, and name no others. */
export class WrittenFiles {
  readonly #paths = new Set<string>();

  /** Notes the paths of an answer, and passes it on. */
  note<T>(answer: Answer<T>): Answer<T> {
    const written = answer.ok ? writtenSchema.safeParse(answer.value) : null;
    if (written?.success) {
      for (const file of [written.data, ...(written.data.files ?? [])]) {
        if (file.path !== undefined) this.#paths.add(file.path);
      }
    }
    return answer;
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }
}
