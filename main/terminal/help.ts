/** Help is text that people read in a terminal: two columns, 80 characters. */
export const HELP = `MARS² Workbench in the terminal

  npm run -s cli -- COMMAND [OPTIONS]

Commands
  quickstart   search with three pocket teams, print the comparison, write CSV
  run          search with teams of your choice over a benchmark of the library
  resume       go on with a study that was paused, interrupted or killed
  export       write a study's table, nodes or curves as CSV
  import       bring a benchmark or recorded samples into the library
  list         show studies, benchmarks and recordings
  serve-pocket serve a pocket policy over the OpenAI chat-completions API

Every command takes --help, --data DIR (the data folder) and --json.
Progress and messages go to stderr, results to stdout.

Exit codes
  0 done      1 failed      2 wrong usage      3 something needed is missing
  130 stopped with Ctrl+C (a study is paused and can be resumed)
`;

export const COMMAND_HELP: Readonly<Record<string, string>> = {
  quickstart: `npm run -s cli -- quickstart --out DIR [OPTIONS]

Compares a single agent, a homogeneous and a heterogeneous team on generated
problems (pocket scale: no GPU, no network). Writes table.csv, nodes.csv and
curves.csv into DIR.

  --out DIR      folder for the CSV files (made when missing)
  --problems N   problems of the pocket test split, 1 to 200 (60)
  --nodes N      nodes of one search tree, 1 to 1000 (24)
  --batch N      trials asked together in one tree, 1 to 16 (1)
  --seed N       seed of the search (1)
  --json         print the analysis as JSON instead of a table
`,
  run: `npm run -s cli -- run --benchmark ID --configuration NAME=AGENTS ... --out DIR

  --benchmark ID          a benchmark of the library (see: list)
  --configuration TEXT    NAME=AGENT, or NAME=AGENT,AGENT for a team; repeat it.
                          AGENT: pocket:reader, pocket:tracer, recorded:ID,
                          url:http://host:port/v1#MODEL. One agent named twice
                          plays two roles (homogeneous).
  --strategy NAME         repeated or ab-mcts-a (ab-mcts-a)
  --nodes N               nodes of one tree (60)
  --samples N             independent samples per agent for Pass@1 (8; 0 with
                          repeated, whose nodes are independent already)
  --problems N            the first N problems (all)
  --batch N               trials asked together in one tree (1)
  --seeds N[,N]           seeds (1)
  --name TEXT             name of the study
  --out DIR  --json
`,
  resume: `npm run -s cli -- resume [STUDY] --out DIR [--json]

Goes on where the study's journals end; without STUDY the newest unfinished one.
`,
  export: `npm run -s cli -- export STUDY --what table|nodes|curves --out FILE
`,
  import: `npm run -s cli -- import benchmark FILE [--id ID]
npm run -s cli -- import recording FILE --benchmark ID [--id ID]

A benchmark is HumanEval's JSON lines; a recording has lines of
{task_id, completion} or {task_id, solution}. Both may be gzipped.
`,
  list: `npm run -s cli -- list [--json]
`,
  'serve-pocket': `npm run -s cli -- serve-pocket --family reader|tracer [OPTIONS]

  --port N         port on 127.0.0.1 (0: a free one, printed)
  --latency-ms N   milliseconds that every answer is held back (0)
  --seed N         seed of the pre-training (1)
`,
};
