"""Stand-in: python3 -m examples.mars2.multi_agent_train_ppo_ray"""

# By the former name of the package, as MARTI's own file does: without the link this fails.
from openrlhf.stand_in_trainer import main

main(has_eval_save_path=True)
