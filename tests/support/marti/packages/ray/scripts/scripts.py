"""Stand-in for Ray's command line: `job submit` starts its command apart, as a cluster would, and shows its output;
`job stop` ends it. STAND_IN_CLUSTER is the folder of the cluster: a submitted working folder is copied there."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time

CLUSTER = os.environ["STAND_IN_CLUSTER"]


def submit(args, command):
    folder = os.path.join(CLUSTER, args.submission_id)
    if os.path.exists(folder):
        sys.exit(f"Job {args.submission_id} exists")
    shutil.copytree(args.working_dir, folder)
    with open(os.path.join(CLUSTER, "log"), "ab") as log:
        begin = log.tell()
        # As a cluster does: in a session of its own, without what marks the processes of a job of ours.
        surroundings = {key: value for key, value in os.environ.items() if key != "MARS2_JOB"}
        job = subprocess.Popen(command, cwd=folder, env=surroundings, stdout=log, stderr=log, start_new_session=True)
    with open(os.path.join(folder, "pid"), "w") as file:
        file.write(str(job.pid))
    with open(os.path.join(CLUSTER, "log"), "rb") as log:
        log.seek(begin)
        while True:
            ended = job.poll() is not None
            sys.stdout.buffer.write(log.read())
            sys.stdout.flush()
            if ended:
                sys.exit(job.returncode)
            time.sleep(0.05)


def stop(args):
    with open(os.path.join(CLUSTER, args.job, "pid")) as file:
        os.killpg(int(file.read()), signal.SIGTERM)
    print(f"Job '{args.job}' was stopped")


def main():
    words = sys.argv[1:]
    assert words.pop(0) == "job"
    action = words.pop(0)
    parser = argparse.ArgumentParser()
    parser.add_argument("--address", required=True)
    if action == "stop":
        parser.add_argument("job")
        return stop(parser.parse_args(words))
    assert action == "submit"
    parser.add_argument("--submission-id", required=True)
    parser.add_argument("--working-dir", required=True)
    at = words.index("--")
    return submit(parser.parse_args(words[:at]), words[at + 1 :])


if __name__ == "__main__":
    main()
