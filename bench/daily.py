"""Which deals the rule of the daily boards meets that its budget leaves open.

    python bench/daily.py --game wasp --from 2000 --to 2399

For every day of those years it searches on from the day's number, as `daily` does but
for all days at once and without passing over anything unsearched. It prints how many
deals it took and the numbers of those that were not settled: `DAILY_RULES` names them.
"""

import argparse
from datetime import date, timedelta

from scorpion import GAMES, Rules, solve_many
from scorpion.days import DAILY_RULES, DAILY_VERSION, daily_start


def searched(rules: Rules, days: list[date]) -> tuple[int, list[int]]:
    """How many deals are looked at until every day has its board, and those left open."""
    rule = DAILY_RULES[DAILY_VERSION]
    numbers = [daily_start(rules, day, DAILY_VERSION) for day in days]
    looked_at = 0
    undecided: list[int] = []
    while numbers:
        looked_at += len(numbers)
        batch = solve_many(rules, numbers, dealer=rule.dealer, max_nodes=rule.max_nodes)
        found = [*zip(numbers, batch.codes, strict=True)]
        undecided += [number for number, code in found if code == 2]
        numbers = [number + 1 for number, code in found if code != 0]
    return looked_at, sorted(undecided)


def main() -> None:
    """Print a line for one game or for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", choices=[*GAMES, "all"], default="all")
    parser.add_argument("--from", dest="first", type=int, default=2000, metavar="YEAR")
    parser.add_argument("--to", dest="last", type=int, default=2399, metavar="YEAR")
    chosen = parser.parse_args()
    begin, end = date(chosen.first, 1, 1), date(chosen.last, 12, 31)
    days = [begin + timedelta(after) for after in range((end - begin).days + 1)]
    for game in GAMES if chosen.game == "all" else [chosen.game]:
        looked_at, undecided = searched(GAMES[game], days)
        named = DAILY_RULES[DAILY_VERSION].passed.get(GAMES[game].word, frozenset())
        print(
            f"{game}: {len(days):,} days, {looked_at:,} deals, {len(undecided)} undecided, "
            f"{len({*undecided} - named)} of them not named by the rule: {undecided}",
            flush=True,
        )


if __name__ == "__main__":
    main()
