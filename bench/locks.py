"""How lost deals are explained, and what their proofs take: mean, median and most.

    python bench/locks.py --game wasp --deals 10000 --proofs 200 --max-nodes 1000

Lost deals are those of PySolFC's up to a number. Proofs are looked for on the first of them;
all that is found is checked. Times are those of the processor.
"""

import argparse
import json
import time
from collections import Counter

from scorpion import GAMES, Board, Lock, Loss, Proof, check_lock, check_proof, deal, explain, solve
from scorpion.solver import solve_many


def lost_deals(game: str, most: int) -> list[Board]:
    """The lost deals of a game up to that number."""
    verdicts = solve_many(game, range(1, most + 1)).verdicts()
    return [deal(game, number) for number, verdict in enumerate(verdicts, 1) if verdict == "lost"]


def is_circle(lock: Lock) -> bool:
    """Whether each card of the lock waits for just one other, and so round."""
    return all([bar.kind for bar in reason.bars] == ["covered"] for reason in lock.reasons)


def middle(values: list[float]) -> str:
    """The mean, the median and the largest."""
    ordered = sorted(values) or [0.0]
    mean = sum(ordered) / len(ordered)
    return f"{mean:,.3g} / {ordered[len(ordered) // 2]:,.3g} / {ordered[-1]:,.3g}"


def explained(boards: list[Board]) -> str:
    """What explain says of lost boards, and in what time."""
    kinds: Counter[str] = Counter()
    reasons, cards, milliseconds, checks = [], [], [], []
    for board in boards:
        start = time.process_time()
        reasons.append(explain(board))
        milliseconds.append(1000 * (time.process_time() - start))
    for board, reason in zip(boards, reasons, strict=True):
        kinds[type(reason).__name__] += 1
        start = time.process_time()
        if isinstance(reason, Proof):
            check_proof(board, reason)
        elif reason is not None and not isinstance(reason, Loss):
            check_lock(board, reason)
        checks.append(1000 * (time.process_time() - start))
        if isinstance(reason, Lock):
            cards.append(float(len(reason.cards)))
            if is_circle(reason):
                length = len(reason.cards)
                kinds[f"of which circle of {length if length < 4 else '4 or more'}"] += 1
    rows = [f"  {100 * number / len(boards):5.1f}%  {kind}" for kind, number in kinds.most_common()]
    return "\n".join(
        [
            *rows,
            f"  cards of a lock:  {middle(cards)}",
            f"  explain, ms:      {middle(milliseconds)}",
            f"  its check, ms:    {middle(checks)}",
        ]
    )


def proved(boards: list[Board], max_nodes: int) -> str:
    """What share of lost boards gets a proof, and what the proofs are like."""
    sizes, found, checked, length = [], [], [], []
    for board in boards:
        start = time.process_time()
        proof = solve(board, max_nodes=max_nodes, proof=True).proof
        if proof is None:
            continue
        found.append(time.process_time() - start)
        start = time.process_time()
        check_proof(board, proof)
        checked.append(time.process_time() - start)
        sizes.append(float(len(proof.ends)))
        length.append(len(json.dumps(proof.to_dict())) / 1000)
    share = f"  {100 * len(sizes) / len(boards):.1f}% of the first {len(boards)} proved"
    return "\n".join(
        [
            f"{share} within {max_nodes:,} positions",
            f"  positions:     {middle(sizes)}",
            f"  found in, s:   {middle(found)}",
            f"  checked in, s: {middle(checked)}",
            f"  as JSON, kB:   {middle(length)}",
        ]
    )


def main() -> None:
    """Print the table of each game asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", choices=[*GAMES, "all"], default="all")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--proofs", type=int, default=200)
    parser.add_argument("--max-nodes", type=int, default=1000)
    chosen = parser.parse_args()
    for game in GAMES if chosen.game == "all" else [chosen.game]:
        boards = lost_deals(game, chosen.deals)
        print(f"{game}: {len(boards):,} lost deals", explained(boards), sep="\n", flush=True)
        if chosen.proofs:
            print(proved(boards[: chosen.proofs], chosen.max_nodes), flush=True)


if __name__ == "__main__":
    main()
