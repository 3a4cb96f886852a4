import { writeSync } from 'node:fs';
import { FOREIGN_READERS, worstTexts } from '../../support/foreign-text';

/** Feeds every reader its worst texts, and prints a line before each and one for each throw. */
for (const reader of FOREIGN_READERS) {
  writeSync(1, `reads ${reader.name}\n`);
  for (const [unit, text] of worstTexts(reader, 60_000)) {
    try {
      reader.read(text);
    } catch (error) {
      writeSync(1, `THROWS ${reader.name} at ${JSON.stringify(unit)}: ${error}\n`);
    }
  }
}
writeSync(1, 'end\n');
