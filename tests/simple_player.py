#!/usr/bin/env python3
"""A player for `emilia match` that does not look ahead, over GTP: `random` plays any legal move, `greedy` one that turns
the most discs, `corners` a corner if there is one and otherwise as `greedy`. `near:X` plays as `corners`, but at random
with the probability |X - 3| / 6: its best X is 3, for trials of `emilia tune`.

usage: tests/simple_player.py random|greedy|corners|near:X [SEED]"""

import random
import sys

BLACK, WHITE = 1, -1
STEPS = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]
CORNERS = {(0, 0), (7, 0), (0, 7), (7, 7)}


def start():
    return {(3, 3): WHITE, (4, 4): WHITE, (4, 3): BLACK, (3, 4): BLACK}


def turned(board, side, square):
    """Discs that a move turns; none if it is not legal."""
    discs = []
    if square in board:
        return discs
    for across, down in STEPS:
        run, (file, rank) = [], (square[0] + across, square[1] + down)
        while board.get((file, rank)) == -side:
            run.append((file, rank))
            file, rank = file + across, rank + down
        if board.get((file, rank)) == side:
            discs += run
    return discs


def choose(kind, board, side):
    squares = [(file, rank) for file in range(8) for rank in range(8)]
    moves = {square: len(turned(board, side, square)) for square in squares}
    moves = {square: count for square, count in moves.items() if count > 0}
    if kind in ("corners", "near") and CORNERS & moves.keys():
        moves = {square: moves[square] for square in CORNERS & moves.keys()}
    if kind != "random" and moves:
        most = max(moves.values())
        moves = {square: count for square, count in moves.items() if count == most}
    return random.choice(sorted(moves)) if moves else None


def main():
    kind, seed = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "1"
    kind, _, parameter = kind.partition(":")
    random.seed(seed)
    board = start()

    def play(side, square):
        for disc in [square, *turned(board, side, square)]:
            board[disc] = side

    for line in sys.stdin:
        name, *words = line.split() or [""]
        answer, side = "", BLACK if words and words[0].lower().startswith("b") else WHITE
        if name == "clear_board":
            board = start()
        elif name == "play" and words[1].lower() != "pass":
            play(side, (ord(words[1][0].lower()) - ord("a"), int(words[1][1]) - 1))
        elif name == "genmove":
            is_random = kind == "near" and random.random() < abs(float(parameter) - 3) / 6
            square = choose("random" if is_random else kind, board, side)
            answer = "PASS" if square is None else "abcdefgh"[square[0]] + str(square[1] + 1)
            if square is not None:
                play(side, square)
        elif name == "list_commands":
            answer = "clear_board\nplay\ngenmove\nlist_commands\nname\nquit"
        print(f"= {answer}\n", flush=True)
        if name == "quit":
            return


main()
