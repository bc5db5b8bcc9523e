#!/usr/bin/env python3
"""Whole games of an engine through the UCI client of the package python-chess, by the rules of Fairy-Stockfish.

Usage: client.py COMMAND...

Needs the packages chess and pyffish. python-chess has no flipello, so this script implements its board by pyffish.
Checks every best move and every move of every PV. Prints the moves of each game and exits with 0.
"""

import random
import sys

import chess
import chess.engine
import pyffish

VARIANT = "flipello"
START = pyffish.start_fen(VARIANT)


class Pass(chess.Move):
    """A pass: a move from a square to itself, which python-chess treats as a null move."""

    def __init__(self, name):
        super().__init__(chess.parse_square(name[:2]), chess.parse_square(name[:2]))
        self.name = name

    def __bool__(self):
        return True

    def uci(self):
        return self.name


def move(name):
    """Returns the move with this UCI name."""
    return chess.Move.from_uci(name) if "@" in name else Pass(name)


class Board(chess.Board):
    """The methods of a board that the client of python-chess calls."""

    uci_variant = VARIANT

    def __init__(self):
        super().__init__()
        self.turn = chess.WHITE

    def names(self):
        return [move.uci() for move in self.move_stack]

    def legal(self):
        return pyffish.legal_moves(VARIANT, START, self.names())

    def root(self):
        return Board()

    def fen(self, **_):
        return pyffish.get_fen(VARIANT, START, self.names())

    def copy(self, **_):
        board = Board()
        for move in self.move_stack:
            board.push(move)
        return board

    def push(self, move):
        self.move_stack.append(move)
        self.turn = not self.turn

    def pop(self):
        self.turn = not self.turn
        return self.move_stack.pop()

    def parse_uci(self, name):
        legal = self.legal()
        # python-chess converts best moves to lower case.
        name = name.replace("p@", "P@")
        if name not in legal:
            raise chess.IllegalMoveError(f"{name}: {legal} after {self.names()}")
        return move(name)

    def push_uci(self, name):
        move = self.parse_uci(name)
        self.push(move)
        return move

    def is_legal(self, move):
        return move.uci() in self.legal()


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
