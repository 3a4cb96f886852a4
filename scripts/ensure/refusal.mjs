/** Something that the user has to do; shown without a stack. All other errors are bugs of ours. */
export class Refusal extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.name = 'Refusal';
    this.exitCode = exitCode;
  }
}

/** The one way in which a script ends badly. */
export async function runScript(main) {
  try {
    await main();
  } catch (error) {
    if (error instanceof Refusal) process.stderr.write(`\n${error.message}\n`);
    else process.stderr.write(`\n${error?.stack ?? error}\n`);
    process.exitCode = error?.exitCode ?? 1;
  }
}
