"""Filter that prints the legal moves of flipello by the rules of Fairy-Stockfish. Needs the package pyffish.

Each input line lists moves from the initial position. Each output line lists the legal moves after them, sorted."""

import sys

import pyffish

START = pyffish.start_fen("flipello")
for line in sys.stdin:
    print(*sorted(pyffish.legal_moves("flipello", START, line.split())), flush=True)
