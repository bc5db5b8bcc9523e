"""Tests of the package. `EMILIA` is the program to compare with, by default the release build."""

import array
import ast
import importlib.util
import inspect
import json
import multiprocessing
import os
import pathlib
import pickle
import random
import re
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as xml

import pytest

import emilia
from emilia import Engine, Game, Position

ROOT = pathlib.Path(__file__).parents[3]
PROGRAM = os.environ.get("EMILIA", ROOT / "target" / "release" / "emilia")
GAME = "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3g3"


def program(*arguments, lines=()):
    """The objects that a command of the program prints."""
    run = subprocess.run([PROGRAM, *arguments], input="\n".join(lines), capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def random_position(seed, plies):
    draw, position = random.Random(seed), Position()
    for _ in range(plies):
        if position.is_over():
            break
        position = position.play(draw.choice(position.legal_moves()))
    return position


def suite():
    """The cases of the perft suites: convention, position, depth, count."""
    convention = position = None
    for path in sorted((ROOT / "perft").glob("*.perft")):
        for line in path.read_text().splitlines():
            word, _, rest = line.partition(" ")
            if word == "convention":
                convention = rest
            elif word == "position":
                position = rest
            elif word == "perft":
                depth, count = map(int, rest.split())
                yield convention, position, depth, count


def test_every_case_of_the_perft_suites_has_its_count():
    cases = [case for case in suite() if case[3] <= 400_000]
    assert len(cases) > 300, len(cases)
    for convention, text, depth, count in cases:
        assert emilia.perft(Position(text), depth, convention) == count, (text, depth)


def test_a_position_is_read_from_every_form_and_written_back():
    after = Position(GAME)
    rows = str(after).splitlines()
    forms = [
        repr(after)[len("Position('") : -2],
        after.fen(),
        str(after),
        ["".join(row.split()[1:9]).replace("*", "-") for row in rows[1:9]] + [after.to_move],
    ]
    for form in forms:
        assert Position(form) == after, form
    numbers = [[0] * 8 for _ in range(8)]
    numbers[3][3] = numbers[4][4] = -1
    numbers[3][4] = numbers[4][3] = 1
    assert Position(numbers) == Position()
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(after, protocol)) == after
        assert pickle.loads(pickle.dumps(Game(GAME), protocol)).moves == Game(GAME).moves
    assert Position.from_bits(after.black, after.white, after.to_move) == after
    assert len({after, Position(GAME), Position()}) == 2
    assert (Position().black, Position().white) == (0x0000000810000000, 0x0000001008000000)


def test_planes_hold_the_side_to_move_first():
    after = Position("f5")
    planes = after.planes()
    assert len(planes) == 128 and after.to_move == "white"
    assert [n for n in range(64) if planes[n]] == [n for n in range(64) if after.white >> n & 1]
    assert [n for n in range(64) if planes[64 + n]] == [n for n in range(64) if after.black >> n & 1]


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: Position("f9"), "'f9' is not a move"),
        (lambda: Position().play("a1"), "illegal move: a1 for black (legal: d3 c4 f5 e6)"),
        (lambda: Position().score("red"), "red"),
        (lambda: emilia.perft(Position(), 21), "depth 21 takes too long"),
        (lambda: emilia.perft(Position(), 3, "C"), "C"),
        (lambda: Engine(evaluation="nett"), "'nett': expected one of net, classic, simple"),
        (lambda: Engine(threads=0), "'0': expected a number of threads from 1 to 1024"),
        (lambda: Engine().search(Position(), depth=0), "'0': expected a depth from 1 to 60"),
        (lambda: Engine().play_move(Position(), level="h15"), "h0 to h14"),
        (lambda: Game("nothing"), "there are no games in it"),
        (lambda: Game("f5\n\nf5d6"), "2 games (expected one)"),
        (lambda: Game("f5").analyze(Engine(), people="h15"), "h0 to h14"),
        (lambda: Position().play(65), "65 is not a move (expected 0 for a1 to 63 for h8, or 64 for a pass)"),
        (lambda: Position().play(-1), "-1 is not a move"),
        (lambda: Position.from_bits(1, 3, "black"), "a1 has two discs"),
        (lambda: Position.from_bits(1, 2, "red"), "red"),
        (lambda: emilia.batch_search([Position()], depth=0), "'0': expected a depth from 1 to 60"),
        (lambda: emilia.batch_legal(memoryview(bytes(32)).cast("Q", (1, 4))), "the shape is [1, 4] (expected rows of 2 numbers)"),
        (lambda: emilia.batch_legal(bytes(15)), "15 bytes are not a multiple of 16"),
        (lambda: emilia.batch_legal(b"\xff" * 16), "board 0 has two discs on one square"),
    ],
)
def test_what_cannot_be_read_is_a_value_error_with_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence) if "(" in sentence else sentence):
        call()


def test_a_missing_file_and_an_unknown_keyword_are_what_python_calls_them():
    with pytest.raises(FileNotFoundError):
        emilia.games("missing.pgn")
    for call in [
        lambda: Engine().search(Position(), depht=3),
        lambda: emilia.svg(None),
        lambda: Engine().analyze(None),
        lambda: Game("f5").analyze(None),
        lambda: Position().play(None),
        lambda: emilia.batch_search([None]),
        lambda: emilia.batch_legal(array.array("d", [0, 0])),
    ]:
        with pytest.raises(TypeError):
            call()


def test_solved_scores_lines_and_nodes_are_those_of_the_program():
    path = ROOT / "tests" / "data" / "fforum-1-19.obf"
    engine = Engine(threads=1)
    for solved in program("solve", path, "--json", "--threads", "1"):
        if solved["kind"] != "solution":
            continue
        engine.clear()
        line = engine.solve(Position(solved["position"]))
        found = (line.score, line.move, line.nodes, line.pv)
        assert found == (solved["score"], solved["best"], solved["nodes"], solved["pv"])
        assert line.exact


def test_searches_to_a_depth_have_values_and_nodes_of_the_program():
    positions = [random_position(seed, 4 + seed) for seed in range(40)]
    texts = [repr(position)[10:-2] for position in positions]
    hints = program("hint", "-", "--depth", "9", "--count", "1", "--threads", "1", "--json", lines=texts)
    engine = Engine(threads=1)
    assert len(hints) == len(positions)
    for position, hint in zip(positions, hints):
        engine.clear()
        line = engine.search(position, depth=9).best
        expected = hint["hints"][0]
        found = (line.move, line.score, line.pv, line.nodes)
        assert found == (expected["move"], expected["score"], expected["line"], hint["nodes"])


def test_an_analysis_is_that_of_the_program(tmp_path):
    (expected,) = program("analyze", GAME, "--depth", "8", "--threads", "1", "--book", "off", "--json")
    done = []
    analysis = Game(GAME).analyze(Engine(threads=1), depth=8, on_progress=lambda *now: done.append(now))
    assert analysis.moves == expected["moves"]
    assert done[-1] == (20, 20)
    assert xml.fromstring(analysis._repr_svg_()).tag.endswith("svg")


def test_records_of_a_file_have_players_moves_and_results(tmp_path):
    path = tmp_path / "games.txt"
    pgn = '[Black "Ann"]\n[White "Bob"]\n[Date "2020.05.01"]\n[Result "40-24"]\n\n1. f5 d6 2. c3 40-24\n'
    path.write_text(pgn)
    (game,) = emilia.games(path)
    assert (game.black, game.white, game.date, game.result) == ("Ann", "Bob", "2020.05.01", 16)
    assert game.moves == ["f5", "d6", "c3"] and game.positions[3] == Position("f5d6c3")
    assert pickle.loads(pickle.dumps(game)).moves == game.moves
    path.write_text("f5d6c3\nf5a1d6\nc4e3f6e6f5c5\na1b1c1d1e1\n")
    read = emilia.games(path)
    assert [len(game.moves) for game in read] == [3, 1, 6] and "a1" in read[1].warnings[0]
    assert read.errors == ["game 4: line 4: 0 of 5 moves read; 1. a1 is not legal"]


def test_levels_of_people_draw_their_moves_and_a_seed_repeats_them():
    def moves(seed):
        engine = Engine(threads=1, level="h3", book=False, seed=seed)
        return [engine.play_move(Position(GAME)).move for _ in range(12)]

    assert len(set(moves(1))) > 1
    assert moves(1) == moves(1)
    mixed = Engine(threads=1, book=False, seed=1)
    assert len({mixed.play_move(Position(GAME), level=level).move for level in ["h2", "h3"] * 8}) > 1


def test_all_moves_are_legal_and_their_picture_has_a_value_for_each():
    position = Position(GAME)
    seen = []
    lines = Engine(threads=1).all_moves(position, depth=4, on_iteration=lambda rank, line: seen.append(line.move))
    assert sorted(line.move for line in lines) == sorted(position.legal_moves()) and set(seen) >= {lines.best.move}
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    text = "{http://www.w3.org/2000/svg}text"
    drawn = [element.text for element in xml.fromstring(lines._repr_svg_()).iter(text)]
    assert all(line.value in drawn for line in lines)


def test_an_exception_of_a_callback_ends_the_search_and_the_engine_goes_on():
    engine = Engine(threads=1)

    def fail(*_):
        raise KeyError("stop")

    with pytest.raises(KeyError):
        engine.search(Position(), depth=40, on_iteration=fail)
    with pytest.raises(RuntimeError, match="searching"):
        engine.search(Position(), depth=10, on_iteration=lambda *_: engine.clear())
    assert engine.search(Position(), depth=4).best.move


def test_a_thousand_interrupts_leave_the_engine_usable():
    engine = Engine(threads=2, hash_mb=4)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    longest = 0
    try:
        for seed in range(1000):
            timer = threading.Timer(0.001, signal.raise_signal, [signal.SIGINT])
            with pytest.raises(KeyboardInterrupt):
                timer.start()
                engine.search(random_position(seed, 10), depth=60)
                raise AssertionError("not interrupted")
    finally:
        signal.signal(signal.SIGINT, before)
    assert engine.search(Position(), depth=6).best.move in Position().legal_moves()


@pytest.mark.parametrize(
    "call",
    [
        lambda: emilia.perft(Position(), 20),
        lambda: emilia.batch_search([random_position(seed, 20) for seed in range(4)], depth=60, threads=2),
        lambda: Game(GAME).analyze(Engine(threads=1), depth=40),
    ],
)
def test_long_calls_end_by_an_interrupt(call):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    try:
        timer.start()
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            call()
        assert time.monotonic() - begun < 10
    finally:
        signal.signal(signal.SIGINT, before)


def test_eight_engines_search_in_eight_threads():
    expected = Engine(threads=1).search(Position(GAME), depth=12).best.score
    found = []
    work = lambda: found.append(Engine(threads=1, hash_mb=16).search(Position(GAME), depth=12).best.score)
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [expected] * 8


def solved(position):
    return Engine(threads=1, hash_mb=4).solve(position).score


def test_positions_travel_to_other_processes():
    positions = [random_position(seed, 48) for seed in range(8)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(solved, positions) == [solved(position) for position in positions]


def squares(mask):
    return {"abcdefgh"[n % 8] + str(n // 8 + 1) for n in range(64) if mask >> n & 1}


def test_a_move_has_the_index_of_its_square():
    for position in [random_position(seed, seed) for seed in range(50)]:
        for move in position.legal_moves():
            index = 64 if move == "pass" else "abcdefgh".index(move[0]) + 8 * int(move[1]) - 8
            assert position.play(index) == position.play(move)


def test_arrays_of_boards_agree_with_positions():
    positions = [random_position(seed, seed) for seed in range(58)]
    own = lambda position: (position.black, position.white) if position.to_move == "black" else (position.white, position.black)
    numbers = [discs for position in positions for discs in own(position)]
    boards = b"".join(discs.to_bytes(8, "little") for discs in numbers)
    legal = emilia.batch_legal(boards)
    for index, position in enumerate(positions):
        moves = int.from_bytes(legal[8 * index : 8 * index + 8], "little")
        assert squares(moves) == set(position.legal_moves()) - {"pass"}
    values = emilia.batch_evaluate(boards)
    assert len(values) == 4 * len(positions)
    assert emilia.batch_evaluate(boards, "simple") != values
    game = Game(GAME)
    assert game.boards() == b"".join(discs.to_bytes(8, "little") for position in game.positions for discs in own(position))
    for buffer in [array.array("Q", numbers), memoryview(boards).cast("Q", (len(positions), 2)), bytearray(boards)]:
        assert emilia.batch_legal(buffer).tobytes() == legal
        assert emilia.batch_evaluate(buffer).tobytes() == values


def test_without_numpy_the_results_are_memoryviews(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    position = Position()
    board = array.array("Q", [position.black, position.white])
    assert squares(emilia.batch_legal(board)[0]) == set(position.legal_moves())
    assert emilia.batch_evaluate(board).format == "f"


def test_arrays_of_numpy_come_in_and_out_in_every_layout():
    numpy = pytest.importorskip("numpy")
    boards = numpy.frombuffer(b"".join(Game(GAME).boards() for _ in range(4000)), "<u8").reshape(-1, 2)
    legal = emilia.batch_legal(boards)
    assert legal.dtype == numpy.uint64 and legal.tobytes() == emilia.batch_legal(boards.tobytes())
    values = emilia.batch_evaluate(boards)
    assert values.dtype == numpy.float32 and values.tobytes() == emilia.batch_evaluate(boards.tobytes())
    for layout in [numpy.asfortranarray(boards), boards.view("<i8"), numpy.repeat(boards, 2, axis=0)[::2]]:
        assert (emilia.batch_legal(layout) == legal).all()
    for wrong in [boards.astype(">u8"), boards.astype("f8"), boards.astype("u4")]:
        with pytest.raises(TypeError, match="expected bytes, or little-endian integers of 64 bits"):
            emilia.batch_legal(wrong)
    with pytest.raises(ValueError, match="the shape"):
        emilia.batch_legal(boards[:10].T.copy())


def test_a_batch_has_the_lines_of_single_searches_with_any_number_of_threads():
    positions = [random_position(seed, seed) for seed in range(60)]
    engine = Engine(threads=1, hash_mb=4)
    lines = []
    for position in positions:
        engine.clear()
        lines.append(engine.search(position, depth=6).best[:7])
    for threads in (1, 3):
        assert [line[:7] for line in emilia.batch_search(positions, depth=6, threads=threads)] == lines
    assert emilia.batch_search([]) == []


def example():
    path = ROOT / "src" / "python" / "examples" / "gymnasium_env.py"
    spec = importlib.util.spec_from_file_location("gymnasium_env", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_environment_is_one_of_gymnasium_and_ends_with_the_score():
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    env = example().Othello(level="h1")
    check_env(env, skip_render_check=True)
    for seed in range(4):
        seen, info = env.reset(seed=seed)
        env.action_space.seed(seed)
        is_over = False
        while not is_over:
            seen, reward, is_over, _, info = env.step(env.action_space.sample(info["action_mask"]))
        own, other = map(int, seen.sum(axis=(1, 2)))
        empty = 64 - own - other
        score = own - other + (empty if own > other else -empty if own < other else 0)
        assert reward == score / 64 and env.position.is_over()
    env.reset(seed=1)
    assert env.step(0)[1:3] == (-1.0, True)


def test_the_documentation_names_functions_and_the_version():
    assert inspect.signature(Game.analyze) and Game.analyze.__name__ == "analyze"
    assert re.fullmatch(r"\d+\.\d+\.\d+", emilia.__version__)


@pytest.mark.parametrize("checker", [("mypy", "--strict"), ("pyright", "--warnings", "--pythonpath", sys.executable)])
def test_the_code_of_the_readme_and_the_examples_is_typed(checker, tmp_path):
    pytest.importorskip(checker[0])
    pytest.importorskip("gymnasium")
    (tmp_path / "readme.py").write_text(readme_code())
    (tmp_path / "gymnasium_env.py").write_text((ROOT / "src" / "python" / "examples" / "gymnasium_env.py").read_text())
    (tmp_path / "wrong.py").write_text("import emilia\nemilia.Engine(threads='two').search(3)\n")
    run = lambda *files: subprocess.run([sys.executable, "-m", *checker, *files], cwd=tmp_path, capture_output=True, text=True)
    typed = run("readme.py", "gymnasium_env.py")
    assert typed.returncode == 0, typed.stdout + typed.stderr
    assert run("wrong.py").returncode == 1


def readme_code():
    readme = (ROOT / "src" / "python" / "README.md").read_text()
    (program,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    return program


def test_the_notebook_and_the_readme_run():
    notebook = json.loads((ROOT / "src" / "python" / "emilia.ipynb").read_text())
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    names, pictures = {}, 0
    for cell in cells:
        *statements, last = ast.parse(cell).body
        exec(compile(ast.Module(statements, []), "notebook", "exec"), names)
        kind = ast.Expression(last.value) if isinstance(last, ast.Expr) else ast.Module([last], [])
        run = eval if isinstance(last, ast.Expr) else exec
        value = run(compile(kind, "notebook", run.__name__), names)
        pictures += hasattr(value, "_repr_svg_") and xml.fromstring(value._repr_svg_()) is not None
    assert pictures == 5
    exec(compile(readme_code(), "README", "exec"), {})
