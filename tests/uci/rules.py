"""The rules of Fairy-Stockfish for the tests: each line of the input is a list of moves of flipello from the start, each line
of the output the legal moves after them, in order. Needs the package pyffish."""

import sys

import pyffish

START = pyffish.start_fen("flipello")
for line in sys.stdin:
    print(*sorted(pyffish.legal_moves("flipello", START, line.split())), flush=True)
