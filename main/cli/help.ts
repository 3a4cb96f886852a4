/** Help is text that people read in a terminal: two columns, 80 characters. */
export const HELP = `MARS² Workbench in the terminal

  npm run -s cli -- COMMAND [OPTIONS]

Commands
  quickstart   search with three pocket teams, print the comparison, write CSV
  run          search with teams of your choice over a benchmark of the library
  resume       go on with a study that was paused, interrupted or killed
  export       tables and figures as CSV, LaTeX, Markdown, JSON, SVG, PDF, PNG
  bundle       all of a study or reproduction in a file, for another lab
  verify       replay a study's journals from their seeds
  regrade      run a study's private tests again and list what changed
  repair       bring what can be read of a damaged journal into a new one
  diversity    how many different algorithms the candidates are
  compare      any runs of any studies: who solves what, gains, costs, differences
  annotate     write a note and tags to a study
  import       bring a benchmark or recorded answers into the library
  mark         note what is wrong with a problem, and leave it out
  list         show studies, benchmarks and recordings
  machines     add, look at, leave machines; their GPUs; reservations
  doctor       what a machine lacks for jobs, servers and grading
  jobs         start, look at, stop jobs on machines
  logs         read, follow (-f), search, save the log of a job
  servers      launch, look at, stop, measure model servers
  train        train pocket policies, MARTI on GPUs, other trainers; watch them
  experiment   train methods side by side over several seeds, and compare them
  exhibit      tables and figures of papers, and what was measured of them
  reproduce    measure an exhibit: trainings, servers, searches, the table
  serve-pocket serve a pocket policy over the OpenAI chat-completions API

Every command takes --help, --data DIR (the data folder) and --json.
Progress and messages go to stderr, results to stdout. Where a window has the
data folder open, the command is done by that window.

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
  --machine ID   where the model servers run (this computer)
  --grade-on ID  where candidates are graded; kept for later studies
  --json         print the analysis as JSON instead of a table
`,
  run: `npm run -s cli -- run --benchmark ID --configuration NAME=AGENTS ... --out DIR

What and who
  --benchmark ID          a benchmark of the library (see: list)
  --problems N            the first N problems (all)
  --from DAY --to DAY     problems of contests in these days, e.g. 2025-01-01
  --include-excluded      also problems that are marked to be left out
  --configuration TEXT    NAME=AGENT, or NAME=AGENT,AGENT,... for a team; repeat it.
                          AGENT: pocket:reader, pocket:tracer, pocket:weak, recorded:ID,
                          launch:ID, url:http://host:port/v1#MODEL. An agent named again
                          plays another role. Braces behind an agent set
                          role, prompt, temperature, top-p, max-tokens, nodes and
                          tokens (its budget in one tree), extraction, machine
                          (of pocket and recorded ones), key (its name, for url):
                          pocket:reader{role=solver,temperature=0.6,nodes=20}

How
  --strategy NAME         repeated, refine, mcts, best-first, tot-bfs, bandit-ucb,
                          ab-mcts-a, ab-mcts-m, mars2-t, mars2-t-plus or
                          marti-parity (ab-mcts-a); the rest changes a part of it
  --beliefs gaussian|beta   --selection thompson|ucb|stack
  --depth-guidance on|off   --feedback verdicts|errors|marti
  --score fraction|all      --tie earliest|latest
  --reward-model pocket[:SEED]|ADDRESS  --reward-use choice|score
  --reward-weight W
  --grading as-program|as-published
  --grade-on ID           the machine that grades; kept for later studies

How much
  --nodes N               nodes of one tree (60)
  --samples N             independent samples per agent for Pass@1 (8; 0 with
                          repeated, whose nodes are independent already)
  --tree-tokens N  --tree-seconds S   further budgets of one tree
  --stop-when-solved      end a tree when a program passes the public tests
  --batch N               trials under way in one tree (1)
  --order asked|arrival   tell a batch in the order of asking, or as it comes
  --seeds N[,N]           seeds (1)
  --name TEXT             name of the study
  --out DIR  --json
`,
  resume: `npm run -s cli -- resume [STUDY] --out DIR [--json]

Goes on where the study's journals end; without STUDY the newest unfinished one.
`,
  export: `npm run -s cli -- export ID ... --format FORMAT [--part PART] --out FILE
npm run -s cli -- export ID ... --format all --out DIR
npm run -s cli -- export ID ... --list                its tables and figures
npm run -s cli -- export STUDY --what WHAT --out FILE

ID: a study, a reproduction, or several runs and studies, also as ID=LABEL.
FORMAT of tables: csv (a row a configuration), csv-long (a row a value), latex
(booktabs), markdown, json; of figures: svg, pdf, png, csv, json, with
--width one-column (84 mm) or two-columns (178 mm); all: every part in every
format. Without --part the first that can be written so. A manifest beside each
file names runs, digests of journals, seeds and machines. Same inputs, same bytes.

WHAT: table, nodes, curves, pairs (comparisons), breakdowns, marti (a folder
with the two score files that MARTI writes).
`,
  bundle: `npm run -s cli -- bundle write ID ... --out FILE
npm run -s cli -- bundle open FILE [--json]

write packs journals, records, tables and manifest; ID as for export. open lists
its studies in this data folder, to be looked at alone, and works its tables out
again from the journals. Exit code 1 when one of them is not the same to the byte.
`,
  verify: `npm run -s cli -- verify STUDY [--json]

Searches every tree again from its seed, with the recorded outcomes, and compares
each node's place and every draw. Exit code 1 when a tree departs.
`,
  regrade: `npm run -s cli -- regrade STUDY [--programs N] [--grading READING] [--json]

Runs private tests again: what changes is noise of the grader. --programs takes N
of them, spread evenly; --grading as-published or as-program takes the other
reading. Exit code 1 when a verdict changed. Writes nothing.
`,
  diversity: `npm run -s cli -- diversity STUDY [--judge ADDRESS#MODEL]
                        [--similarity ADDRESS#MODEL] [--json]

Distinct programs, DA@K, EA, NAUADC, AEC and Vendi. Programs are told apart by
their structure, or by a chat model; similarity by tokens, or by embeddings.
`,
  compare: `npm run -s cli -- compare RUN-or-STUDY[=LABEL] ... [--diversity]
                        [--judge ADDRESS#MODEL] [--similarity ADDRESS#MODEL] [--json]

Any runs and whole studies side by side. Runs under one label are pooled over
their seeds; without a label a run goes under its configuration's name.
`,
  annotate: `npm run -s cli -- annotate STUDY [--note TEXT] [--tags A,B] [--json]

What is not given stays as it is; an empty text takes it away.
`,
  repair: `npm run -s cli -- repair RUN [--json]

Keeps everything that can be read, writes it anew and leaves the damaged journal
beside it. The study can then be resumed.
`,
  import: `npm run -s cli -- import benchmark FILE|FOLDER [--format FORMAT] [--id ID]
                        [--version TEXT] [--licence TEXT] [--from DAY] [--to DAY]
npm run -s cli -- import hub OWNER/NAME [--file NAME ...] [the same options]
npm run -s cli -- import recording FILE --benchmark ID [--format samples|traces]

FORMAT: auto, livecodebench, humaneval, humaneval-plus, mbpp, mbpp-plus, apps,
codecontests, workbench (docs/benchmarks.md). Files may be gzipped.
`,
  mark: `npm run -s cli -- mark BENCHMARK PROBLEM --reason TEXT [--exclude]
npm run -s cli -- mark BENCHMARK PROBLEM --clear
`,
  list: `npm run -s cli -- list [--json]
`,
  machines: `npm run -s cli -- machines [list]
npm run -s cli -- machines hosts                      hosts of your ssh config
npm run -s cli -- machines add HOST [--id ID] [--name TEXT]
        [--slurm [--partition P] [--account A] [--minutes N]
         [--slurm-options TEXT]]
npm run -s cli -- machines look ID                    connect and look at its GPUs
npm run -s cli -- machines cluster ID                 partitions and GPUs of a cluster
npm run -s cli -- machines shell ID                   a shell there, until it ends
npm run -s cli -- machines reserve ID GPU [--minutes N] [--note TEXT]
npm run -s cli -- machines remove ID [--anyway]

HOST is a host of your ssh config, or user@host; with --slurm also "local":
this computer is the login node then. A reservation is a word to the lab, kept on
the machine; --minutes 0 takes it back.
`,
  train: `npm run -s cli -- train [list] [--json]
npm run -s cli -- train start|plan FILE.json
npm run -s cli -- train start|plan pocket [--method M] [--families F,F]
        [--updates N] [--batch N] [--nodes N] [--rate R] [--seed N]
        [--split test|validation] [--problems N] [--samples N]
npm run -s cli -- train start|plan marti --machine ID --preset PRESET
        --checkout DIR --dataset DIR --out DIR --agent MODEL[;reasoning][;role=R] ...
        [--python PATH] [--ray ADDRESS] [--set NAME=VALUE ...] [--extra TEXT]
npm run -s cli -- train start|plan recipe ID --machine ID --set NAME=VALUE ...
npm run -s cli -- train show|follow|stop|resume TRAINING
npm run -s cli -- train checkpoints|curves|rollouts|evaluation TRAINING
npm run -s cli -- train serve TRAINING CHECKPOINT
npm run -s cli -- train evaluate TRAINING:CHECKPOINT ... --benchmark ID [--team]
        [--problems N] [--nodes N] [--samples N] [--out DIR]
npm run -s cli -- train remove TRAINING [--checkpoints]
npm run -s cli -- train recipes
npm run -s cli -- train settings [--preset PRESET]    every setting of MARTI

M: base, grpo, rs2, homo-mars2, heter-mars2, grpo-all-wrong, mixed-groups.
PRESET: grpo (no tree), single (RS²), shared (one model, several roles), multi.
start also takes --name, --set-up LINE, --env NAME=VALUE, --gpus N, and for
Slurm --partition, --account, --minutes, --slurm-options; with -f it follows the
training. plan shows the exact command and what is wrong; --look asks the machine
too. A training goes on when the command that shows it ends. curves prints CSV,
or writes it to --out FILE; evaluate makes a study, and with --out DIR runs it.
Paths of marti and recipes are on the machine.
`,
  experiment: `npm run -s cli -- experiment [list]
npm run -s cli -- experiment ready                    ready-made ones, by name
npm run -s cli -- experiment start NAME [--seeds N,N] [--updates N]
        [--split validation|test] [--problems N] [--nodes N] [--samples N]
        [--name TEXT] [--out DIR] [--json]
npm run -s cli -- experiment follow|result|resume ID [--out DIR] [--json]
npm run -s cli -- experiment export ID [--what cells|pairs] --out FILE
npm run -s cli -- experiment pause|remove ID

Trains every row with every seed on this computer, as many at once as it has
cores, evaluates each on held-out problems and prints the comparison: intervals
over seeds and problems, paired tests, what can be said and what not. --problems,
--nodes and --samples are of the evaluation. --out DIR also writes cells.csv and
pairs.csv. Ctrl+C pauses it; resume goes on, and tries again what had failed.
remove takes its trainings and their checkpoints along.
`,
  exhibit: `npm run -s cli -- exhibit [list] [--json]
npm run -s cli -- exhibit show EXHIBIT [--scale pocket|paper] [--json]
npm run -s cli -- exhibit text EXHIBIT|template        its file, to be copied
npm run -s cli -- exhibit check|save FILE
npm run -s cli -- exhibit remove EXHIBIT

show prints what was measured of it last, beside the paper's numbers; check says
what is wrong in a file of your own, with the exact place (docs/exhibits.md).
`,
  reproduce: `npm run -s cli -- reproduce EXHIBIT [--scale pocket|paper] --out DIR
npm run -s cli -- reproduce EXHIBIT --plan [--json]    what it would do and cost
npm run -s cli -- reproduce [list]
npm run -s cli -- reproduce follow|result|resume ID [--out DIR] [--json]
npm run -s cli -- reproduce retry ID STEP
npm run -s cli -- reproduce move ID STEP --machine MACHINE
npm run -s cli -- reproduce decisions|pause|remove ID

  --scale NAME     pocket (this computer, minutes) or paper (GPUs)
  --seeds N[,N]    in place of the exhibit's
  --problems N     the first N problems; fewer are not comparable
  --only C[,C]     only these cells (ROW.COLUMN) or lines
  --machine M[,M]  machines that may be used (all)
  --places FILE    paper scale: JSON with weights, checkpoints, MARTI's folder

Trains, serves, searches and grades whatever the exhibit needs and is not there
already, then prints its table; --out DIR also writes it in every format. Ctrl+C
pauses it; resume goes on, and tries again what had failed. It goes on by itself
where a workbench is opened again.
`,
  doctor: `npm run -s cli -- doctor [MACHINE] [--json]

Looks at what jobs, model servers and grading need, and says what to type where
something is missing. Exit code 1 when something is bad.
`,
  jobs: `npm run -s cli -- jobs [list] [--json]
npm run -s cli -- jobs start MACHINE [OPTIONS] -- COMMAND [ARGUMENTS]
npm run -s cli -- jobs start MACHINE [OPTIONS] --each FILE   a job for each line
npm run -s cli -- jobs show|stop|retry|remove JOB

  --name TEXT       what people call it
  --folder DIR      working folder there (the job's own)
  --env NAME=VALUE  a variable; repeat it. It is written to disk: no secrets
  --set-up LINE     runs before the command, with a log of its own
  --gpus N          wait for N free GPUs, or --gpu-ids UUID,UUID for these
  --gpu-memory MIB  GPUs with so much free memory, whoever uses them
  --minutes N --partition P --account A --slurm-options TEXT    for Slurm
  --retry-lost N --retry-failed N          start again by itself, at most N times

The job outlives this command, the connection and this computer. One that waits
for GPUs, or for a machine to answer, starts while a workbench is open.
`,
  logs: `npm run -s cli -- logs JOB [-f] [--tail BYTES] [--set-up-log]
npm run -s cli -- logs JOB --search TEXT [--limit N]
npm run -s cli -- logs JOB --out FILE
`,
  servers: `npm run -s cli -- servers [list] [--json]
npm run -s cli -- servers launches
npm run -s cli -- servers plan|save FILE              a launch as JSON
npm run -s cli -- servers launch LAUNCH               until one real token
npm run -s cli -- servers stop|restart|remove SERVER
npm run -s cli -- servers speed SERVER [--concurrency 1,4,16] [--tokens N]
`,
  'serve-pocket': `npm run -s cli -- serve-pocket --family reader|tracer [OPTIONS]

  --port N         port on 127.0.0.1 (0: a free one, printed)
  --latency-ms N   milliseconds that every answer is held back (0)
  --seed N         seed of the pre-training (1)
`,
};
