"""Controller time of treequest's ABMCTSA, for controller.bench.ts: the given tree sizes, one line of JSON each.

Usage: python treequest_controller.py N [N ...], with treequest importable. Asks and tells one at a time with an instant
generator, two agents, Gaussian beliefs, in place (no deep copies), and the scores of the bench: rising with the
parent's, from a fixed stream.
"""

import json
import random
import sys
import time

from treequest.algos.ab_mcts_a.algo import ABMCTSA


def tree_seconds(nodes, seed):
    chance = random.Random(seed)
    algorithm = ABMCTSA()
    state = algorithm.init_tree()
    scores = {-1: 0.0}
    agents = ["a", "b"]
    start = time.process_time()
    for node in range(nodes):
        state, trial = algorithm.ask(state, agents)
        before = scores[trial.node_to_expand]
        agent = agents.index(trial.action)
        score = min(1.0, max(0.0, 0.6 * before + 0.5 * chance.random() + 0.05 * agent))
        scores[node] = score
        state = algorithm.tell(state, trial.trial_id, (node, score))
    return time.process_time() - start


for size in map(int, sys.argv[1:]):
    runs = 5 if size <= 100 else 1
    seconds = sorted(tree_seconds(size, seed) for seed in range(runs))[runs // 2]
    print(json.dumps({"nodes": size, "ms": seconds * 1000}), flush=True)
