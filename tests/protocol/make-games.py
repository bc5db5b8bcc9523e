#!/usr/bin/env python3
"""Writes random games of flipello by the rules of Fairy-Stockfish. Usage: make-games.py > flipello-games.txt

Needs the package pyffish. Each line is a game: `MOVE:COUNT` for each move, where COUNT is the number of legal moves before
it, then the final board. The seeds count up from 0. Only games with a pass, or with fewer than 60 moves, are written.
"""

import random

import pyffish

VARIANT = "flipello"
START = pyffish.start_fen(VARIANT)
GAMES = 24


def game(seed):
    """Returns the entries `MOVE:COUNT` and the final board of the random game with this seed."""
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
