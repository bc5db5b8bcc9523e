#!/usr/bin/env python3
"""Whole games of an engine through the UCI client of the package python-chess, by the rules of Fairy-Stockfish.

Usage: client.py COMMAND...

Needs the packages chess and pyffish. python-chess has no flipello, so the board is that of src/protocol/README.md.
Checks every best move and every move of every PV. Prints the moves of each game and exits with 0.
"""

import pathlib
import random
import sys

import chess
import chess.engine
import pyffish

VARIANT = "flipello"
START = pyffish.start_fen(VARIANT)


# The classes Move and Othello of the README.
README = pathlib.Path(__file__).parents[2] / "src/protocol/README.md"
exec(README.read_text().split("```")[1].removeprefix("python"))


class Board(Othello):
    """The class of the README, with the rules of Fairy-Stockfish."""

    def names(self):
        return [move.uci() for move in self.move_stack]

    def copy(self, **_):
        # The client's copy for its answers has no moves, and the rules need them.
        return super().copy()

    def legal(self):
        return pyffish.legal_moves(VARIANT, START, self.names())

    def parse_uci(self, name):
        move = super().parse_uci(name)
        if move.uci() not in self.legal():
            raise chess.IllegalMoveError(f"{name}: {self.legal()} after {self.names()}")
        return move


def game(engine, rng, ours, limit, ponder):
    """Plays a game of the engine against random moves and checks that every PV is legal. Returns the moves."""
    board = Board()
    while legal := board.legal():
        if board.turn == ours:
            result = engine.play(board, limit, info=chess.engine.INFO_ALL, ponder=ponder, game=id(board))
            board.push_uci(result.move.uci())
            line = board.copy()
            line.pop()
            for move in result.info.get("pv", []):
                line.push_uci(move.uci())
        else:
            board.push_uci(rng.choice(legal))
    return board.names()


def main():
    rng = random.Random(17)
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1:]) as engine:
        assert engine.id["name"].startswith("Emilia"), engine.id
        engine.configure({"Hash": 1, "Threads": 1})
        limits = [
            (chess.engine.Limit(depth=4), False),
            (chess.engine.Limit(time=0.02), False),
            (chess.engine.Limit(nodes=2000), False),
            (chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.01, black_inc=0.01), True),
        ]
        for number, (limit, ponder) in enumerate(limits):
            print(*game(engine, rng, bool(number % 2), limit, ponder))
        lines = engine.analyse(Board(), chess.engine.Limit(depth=5), multipv=3)
        assert [line["multipv"] for line in lines] == [1, 2, 3], lines
        assert all(line["depth"] == 5 and line["score"].is_mate() is False for line in lines), lines
        with engine.analysis(Board()) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 12:
                    break
        engine.quit()
    print("done")


main()
