"""What do house rules do to a game? Surveys the same deals under each of them.

    pip install scorpion-solitaire
    python house_rules.py --deals 100000 --folder surveys

Each rule's survey has a file of its own in the folder. Broken off, by Ctrl-C or by a
machine that went down, the same command goes on from there; run again when all is done,
it only prints the table.
"""

import argparse
from dataclasses import replace
from pathlib import Path

import scorpion

SCORPION = scorpion.GAMES["scorpion"]
HOUSES = {
    "printed rules: the stock when stuck, runs stay": replace(
        SCORPION, runs="stay", stock="when-stuck"
    ),
    "runs stay": replace(SCORPION, runs="stay"),
    "standard": SCORPION,
    "no card face down": replace(SCORPION, face_down=(0,) * 7),
    "any card fills a space": replace(SCORPION, fill="any"),
}


def main() -> None:
    """Survey what is not yet surveyed, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, default=Path("surveys"))
    parser.add_argument("--workers", type=int, help="processes, by default one for each core")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    print(f"{'scorpion with':48}{'winnable':>10}  95% interval")
    for house, rules in HOUSES.items():
        found = scorpion.survey(
            rules,
            range(1, chosen.deals + 1),
            workers=chosen.workers,
            path=chosen.folder / f"{house.split(':')[0].replace(' ', '-')}.jsonl",
        )
        low, high = found.interval
        print(f"{house:48}{found.share:10.2%}  {low:.2%} to {high:.2%}", flush=True)


if __name__ == "__main__":
    main()
