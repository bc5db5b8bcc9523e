"""Times of the package beside others with the rules of Othello: `pip install rust-reversi creversi`.

Prints the best of five runs of each. What is not installed is left out.
"""

import random
import time

import emilia


def best(job, times):
    """Seconds for one of `times` calls."""
    def run():
        start = time.perf_counter()
        for _ in range(times):
            job()
        return (time.perf_counter() - start) / times
    return min(run() for _ in range(5))


def game(draw):
    position = emilia.Position()
    while moves := position.legal_moves():
        position = position.play(draw.choice(moves))


def rust_reversi():
    import rust_reversi
    def game(draw):
        board = rust_reversi.Board()
        while not board.is_game_over():
            moves = board.get_legal_moves_vec()
            if moves:
                board.do_move(draw.choice(moves))
            else:
                board.do_pass()
    board = rust_reversi.Board()
    return {"legal moves": (board.get_legal_moves_vec, 10_000), "random game": (lambda: game(random.Random(1)), 100)} | (
        {"perft 8": (lambda: board.perft(8), 1)} if hasattr(board, "perft") else {})


def creversi():
    import creversi
    def game(draw):
        board = creversi.Board()
        while not board.is_game_over():
            board.move(draw.choice(list(board.legal_moves)))
    board = creversi.Board()
    return {"legal moves": (lambda: list(board.legal_moves), 10_000), "random game": (lambda: game(random.Random(1)), 100)}


def boards_of_games(games):
    """The boards of random games, as bytes."""
    draw, boards = random.Random(1), []
    for _ in range(games):
        position, moves = emilia.Position(), []
        while legal := position.legal_moves():
            moves.append(draw.choice(legal))
            position = position.play(moves[-1])
        boards.append(emilia.Game("".join(moves).replace("pass", "")).boards())
    return b"".join(boards)


def batches():
    """The same boards as bytes and as an array."""
    import numpy
    boards = boards_of_games(10_000)
    arrays = {"bytes": boards, "an array": numpy.frombuffer(boards, "<u8").reshape(-1, 2)}
    return {
        f"{call.__name__}, {len(boards) // 16} boards of {kind}": (lambda call=call, given=given: call(given), 1)
        for call in (emilia.batch_legal, emilia.batch_evaluate) for kind, given in arrays.items()
    }


def own():
    position, engine = emilia.Position(), emilia.Engine(threads=1)
    boards = b"".join(discs.to_bytes(8, "little") for discs in (position.black, position.white)) * 1_000_000
    return {
        "legal moves": (position.legal_moves, 10_000),
        "random game": (lambda: game(random.Random(1)), 100),
        "perft 8": (lambda: emilia.perft(position, 8), 1),
        "search(depth=1)": (lambda: engine.search(position, depth=1), 1000),
        "batch_legal, a million boards": (lambda: emilia.batch_legal(boards), 1),
    }


if __name__ == "__main__":
    for package in (own, batches, rust_reversi, creversi):
        try:
            jobs = package()
        except ImportError:
            continue
        for name, (job, times) in jobs.items():
            print(f"{package.__name__.replace('own', 'emilia'):14}{name:44}{best(job, times) * 1e6:12.2f} µs")
