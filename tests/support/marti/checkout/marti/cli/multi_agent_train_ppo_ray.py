"""Stand-in: python3 -m marti.cli.multi_agent_train_ppo_ray"""

from marti.stand_in_trainer import main

main(has_eval_save_path=False)
