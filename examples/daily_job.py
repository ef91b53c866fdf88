"""A nightly job: the boards of the coming days are found ahead of time and kept in a store.

    pip install 'scorpion-solitaire[store]'
    python daily_job.py --store boards.db --days 14

What is there already costs nothing, so the job may run as often as one likes, may be
killed, and may run on several machines at once if the store is a PostgreSQL. The site
then asks the store with ``BoardStore(place).daily(game, day)``.
"""

import argparse
import sys
from datetime import UTC, date, datetime, timedelta

import scorpion
from scorpion.store import BoardStore


def main() -> None:
    """Fill the store, and say what the first day's boards are."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--store", default="boards.db", help="a file, or postgresql://HOST/NAME")
    parser.add_argument("--days", type=int, default=14)
    parser.add_argument("--first", type=date.fromisoformat, default=datetime.now(UTC).date())
    chosen = parser.parse_args()
    days = [chosen.first + timedelta(days=day) for day in range(chosen.days)]
    try:
        with BoardStore(chosen.store) as store:
            added = store.fill(scorpion.GAMES, days)
            print(f"{added} boards added, {len(days) * len(scorpion.GAMES)} are there")
            for game in scorpion.GAMES:
                today = store.daily(game, chosen.first)
                moves = len(today.solution.moves)
                print(f"{chosen.first} {game}: deal {today.number}, won in {moves} moves")
    except scorpion.ScorpionError as error:
        sys.exit(f"daily_job: {error}")


if __name__ == "__main__":
    main()
