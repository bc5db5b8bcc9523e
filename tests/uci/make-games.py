#!/usr/bin/env python3
"""Writes random games of flipello as the rules of Fairy-Stockfish have them: `make-games.py > flipello-games.txt`.

Needs the package pyffish. A line is a game, `MOVE:COUNT` for each move with the number of legal moves before it, and then
the final board. The games are those of the first seeds with a pass, with two passes at the end, or with a wipe-out.
"""

import random

import pyffish

VARIANT = "flipello"
START = pyffish.start_fen(VARIANT)
GAMES = 24


def game(seed):
    """The moves with their counts, and the final board."""
    rng = random.Random(seed)
    moves, entries = [], []
    while legal := pyffish.legal_moves(VARIANT, START, moves):
        move = rng.choice(sorted(legal))
        entries.append(f"{move}:{len(legal)}")
        moves.append(move)
    return entries, pyffish.get_fen(VARIANT, START, moves).split("[")[0]


def main():
    print(f"# {GAMES} random games of {VARIANT}; pyffish {'.'.join(map(str, pyffish.version()))}, tests/uci/make-games.py")
    found, seed = 0, 0
    while found < GAMES:
        entries, board = game(seed)
        seed += 1
        if any(not entry.startswith("P@") for entry in entries) or len(entries) < 60:
            print(*entries, board)
            found += 1


main()
