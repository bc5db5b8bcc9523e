"""Emilia, an Othello engine: rules, search, exact endgames, levels of people, games of every format.

>>> import emilia
>>> engine = emilia.Engine()
>>> engine.search(emilia.Position(), depth=10).best.move in ("d3", "c4", "f5", "e6")
True

Scores are final differences of discs for the side to move. A text that cannot be read raises
ValueError with a sentence that says what was expected.
"""

import json
from os import PathLike
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Type, TypeVar, Union, overload

from . import _emilia
from ._emilia import Game, Position, __version__, perft

__all__ = [
    "Analysis", "Engine", "Game", "Games", "Line", "Lines", "Position", "__version__",
    "batch_evaluate", "batch_legal", "batch_search", "games", "perft", "svg",
]

T = TypeVar("T")
Path = Union[str, "PathLike[str]"]


class Line(NamedTuple):
    """A line of play that a search has found.

    move: the first move; None after the end of the game. score: expected final score in discs, for
    the side to move; exact: whether it is certain. depth: plies that were searched; reach: depth and
    selectivity as text, such as "18@87%", "100%" or "book 20". pv: best play, passes included.
    nodes, seconds: positions visited and time since the start of the search.
    """

    move: Optional[str]
    score: float
    exact: bool
    depth: int
    reach: str
    pv: List[str]
    nodes: int
    seconds: float

    @property
    def value(self) -> str:
        """The score with its sign, to a tenth unless it is certain."""
        return f"{self.score:+.0f}" if self.exact else f"{self.score:+.1f}"


class Lines(List[Line]):
    """The lines of a search, best first. A notebook shows them on the board."""

    def __init__(self, position: Position, lines: Iterable[Line]) -> None:
        super().__init__(lines)
        self.position = position

    @property
    def best(self) -> Line:
        return self[0]

    def _repr_svg_(self) -> str:
        return svg(self.position, {line.move: line.value for line in self if line.move})


def _checked(value: T, kind: Type[T]) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")
    return value


def _texts(**options: object) -> Dict[str, str]:
    """The options that are given, as texts."""
    words = {True: "on", False: "off"}
    return {name: words[value] if isinstance(value, bool) else str(value) for name, value in options.items() if value is not None}


class Engine:
    """A search with its transposition table, which is kept from one call to the next.

    threads: number of threads, one for each core by default. hash_mb: size of the table in MiB.
    evaluation: "net", "classic" or "simple". level: 1 to 60, or "h0" to "h14", which play as people
    do. book: whether `play_move` opens by the built-in book, or the path of another. seed: of the
    draws of levels of people and of the book.

    One call at a time: in threads, give each one an engine. Ctrl-C stops a search.
    """

    def __init__(self, threads: Optional[int] = None, hash_mb: int = 64, evaluation: str = "net",
                 level: Union[str, int, None] = None, book: Union[bool, Path] = True, seed: Optional[int] = None) -> None:
        self._engine = _emilia.Engine(_texts(threads=threads, hash=hash_mb, eval=evaluation, level=level, book=book, seed=seed))

    def _lines(self, position: Position, count: int, wld: Optional[bool],
               on_iteration: Optional[Callable[[int, Line], object]], **limits: object) -> Lines:
        each = None if on_iteration is None else lambda rank, fields: on_iteration(rank, Line(*fields))
        rows = self._engine.search(position, _texts(**limits), count, wld, each)
        return Lines(position, [Line(*row) for row in rows])

    def search(self, position: Position, *, depth: Optional[int] = None, time: Optional[float] = None, nodes: Optional[int] = None,
               exact: Optional[int] = None, selectivity: Optional[int] = None, lines: int = 1, on_iteration: Optional[Callable[[int, Line], object]] = None) -> Lines:
        """The best `lines` lines of a position.

        Limits: depth in plies, time in seconds, nodes; one second without any. exact: solve from
        this number of empty squares on. selectivity: 73, 87, 95, 98, 99 or 100 percent.
        on_iteration(rank, line) is called for each line of each iteration.
        """
        return self._lines(position, lines, None, on_iteration, depth=depth, time=time, nodes=nodes, exact=exact, selectivity=selectivity)

    def all_moves(self, position: Position, *, depth: Optional[int] = None, time: Optional[float] = None, nodes: Optional[int] = None,
                  exact: Optional[int] = None, selectivity: Optional[int] = None, on_iteration: Optional[Callable[[int, Line], object]] = None) -> Lines:
        """A line for each legal move, best first. Limits as in `search`."""
        return self.search(position, depth=depth, time=time, nodes=nodes, exact=exact, selectivity=selectivity, lines=33, on_iteration=on_iteration)

    def solve(self, position: Position, *, wld: bool = False, on_iteration: Optional[Callable[[int, Line], object]] = None) -> Line:
        """The exact score. With `wld`, only the winner: +1, 0 or -1."""
        return self._lines(position, 1, wld, on_iteration).best

    def play_move(self, position: Position, *, level: Union[str, int, None] = None, depth: Optional[int] = None, time: Optional[float] = None, nodes: Optional[int] = None) -> Line:
        """The move to play: of the book, or of a search; levels "h0" to "h14" choose as people do."""
        return Line(*self._engine.choose(position, _texts(level=level, depth=depth, time=time, nodes=nodes)))

    def analyze(self, game: Game, *, depth: Optional[int] = None, time: Optional[float] = None, nodes: Optional[int] = None, exact: Optional[int] = None,
                people: Optional[str] = None, on_progress: Optional[Callable[[int, int], object]] = None) -> "Analysis":
        """Judges each move of a game. Depth 16 without limits. The table is cleared before.

        people: level, "h0" to "h14", for which `found` and `difficulty` are estimated.
        on_progress(done, all) is called for each move.
        """
        limits = _texts(depth=depth, time=time, nodes=nodes, exact=exact)
        return Analysis(*_emilia.analysis(self._engine, game, limits, people, on_progress))

    def clear(self) -> None:
        """Empties the table, so that the next search does not depend on earlier ones."""
        self._engine.clear()


class Analysis:
    """A judged game. A notebook shows the chart of its scores.

    moves: a list of dictionaries, one for each move: number, side, move, score (after the move, for
    Black), best, best_score, lost (discs), grade, exact, found (share of people, 0 to 1), difficulty, …
    data: the whole object of `emilia analyze --json`.
    """

    def __init__(self, text: str, chart: str) -> None:
        self.data: Dict[str, Any] = json.loads(text)
        self.moves: List[Dict[str, Any]] = self.data["moves"]
        self._chart = chart

    def _repr_svg_(self) -> str:
        return self._chart


class Games(List[Game]):
    """The games of a file that could be read; `errors` has a sentence for each other one."""

    def __init__(self, games: Iterable[Game], errors: List[str]) -> None:
        super().__init__(games)
        self.errors = errors


def games(path: Path) -> Games:
    """Reads a file of games: transcripts, PGN, GGF, SGF, OBF, WTHOR, packed or not."""
    open(path, "rb").close()  # A file that is not there is a FileNotFoundError.
    return Games(*_emilia.games(path))


def _array(boards: Any, data: bytes, kind: str) -> Any:
    """Data as bytes for boards as bytes; else as an array of NumPy, or as a memoryview without it."""
    if isinstance(boards, bytes):
        return data
    try:
        import numpy
    except ImportError:
        return memoryview(data).cast(kind)  # type: ignore[call-overload, unused-ignore]
    return numpy.frombuffer(data, kind)


@overload
def batch_legal(boards: bytes) -> bytes: ...
@overload
def batch_legal(boards: Any) -> Any: ...
def batch_legal(boards: Any) -> Any:
    """The legal moves of each board, as a number of 64 bits: bit 0 is a1.

    boards: for each the discs of the side to move, and of the opponent, as two numbers of 64 bits: an
    array of NumPy of shape (n, 2), or another buffer; or bytes, 16 for each, little-endian. The result
    is a read-only array of NumPy, a memoryview without NumPy, or bytes for bytes: 8 for each board.
    """
    return _array(boards, _emilia.batch_legal(boards), "Q")


@overload
def batch_evaluate(boards: bytes, evaluation: str = "net") -> bytes: ...
@overload
def batch_evaluate(boards: Any, evaluation: str = "net") -> Any: ...
def batch_evaluate(boards: Any, evaluation: str = "net") -> Any:
    """The static value of each board in discs for the side to move, as a float of 32 bits.

    A finished game has its final score. Boards and result as in `batch_legal`; bytes have 4 for each.
    """
    return _array(boards, _emilia.batch_evaluate(boards, evaluation), "f")


def batch_search(positions: Iterable[Position], *, depth: Optional[int] = None, time: Optional[float] = None, nodes: Optional[int] = None,
                exact: Optional[int] = None, selectivity: Optional[int] = None, threads: Optional[int] = None, hash_mb: int = 4, evaluation: str = "net") -> List[Line]:
    """The best line of each position, searched by one thread each, `threads` at a time.

    threads: one for each core by default. hash_mb: size of the table of a thread in MiB, which is
    cleared before each search. Limits as in `Engine.search`: without time, the lines do not depend
    on the number of threads. Ctrl-C ends it.
    """
    given = _texts(depth=depth, time=time, nodes=nodes, exact=exact, selectivity=selectivity,
                   threads=threads, hash=hash_mb, eval=evaluation)
    return [Line(*row) for row in _emilia.batch_search(list(positions), given)]


def svg(position: Position, values: Mapping[str, str] = {}) -> str:
    """A board as SVG. `values` are texts by square, the best move first; without them, dots mark the moves."""
    position = _checked(position, Position)
    colours = {"black": "#111", "white": "#fafafa"}
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 360" width="360" height="360" font-family="sans-serif" font-size="13" text-anchor="middle"><rect width="360" height="360" fill="#222"/><rect x="20" y="20" width="320" height="320" fill="#2e7d4f"/>']
    parts += [f'<path d="M{n} 20V340M20 {n}H340" stroke="#123"/>' for n in range(20, 341, 40)]
    parts += [f'<g fill="#ddd"><text x="{40 * n}" y="15">{"abcdefgh"[n - 1]}</text><text x="10" y="{40 * n + 5}">{n}</text></g>' for n in range(1, 9)]
    for side, discs in (("black", position.black), ("white", position.white)):
        parts += [f'<circle cx="{40 * (n % 8) + 40}" cy="{40 * (n // 8) + 40}" r="16" fill="{colours[side]}"/>' for n in range(64) if discs >> n & 1]
    squares = [square for square in values or position.legal_moves() if square != "pass"]
    for square in squares:
        x, y = 40 * "abcdefgh".index(square[0]) + 40, 40 * int(square[1])
        colour = "#ffe14d" if square == squares[0] else "#fff"
        parts.append(f'<text x="{x}" y="{y + 5}" fill="{colour}">{values[square]}</text>' if values else f'<circle cx="{x}" cy="{y}" r="4" fill="{colours[position.to_move]}"/>')
    return "".join(parts) + "</svg>"


def _analyze(self: Game, engine: Engine, **options: Any) -> Analysis:
    """Judges each move: `engine.analyze(game, …)`."""
    return _checked(engine, Engine).analyze(self, **options)


_analyze.__name__ = "analyze"
Position._repr_svg_ = svg  # type: ignore[assignment, method-assign]
Game.analyze = _analyze  # type: ignore[method-assign]
