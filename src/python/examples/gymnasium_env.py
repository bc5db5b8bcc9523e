"""Othello against a level of Emilia, as an environment of Gymnasium: `pip install gymnasium numpy`."""

from typing import Any, Dict, Optional, Tuple

import emilia
import gymnasium
import numpy
from numpy.typing import NDArray

MOVES = [file + rank for rank in "12345678" for file in "abcdefgh"] + ["pass"]


class Othello(gymnasium.Env[NDArray[numpy.uint8], numpy.int64]):
    """Observation: two boards of zeros and ones, the discs of the agent and those of Emilia.

    Action: the index of a square, 0 for a1 and 63 for h8, or 64 for a pass; `info["action_mask"]` has
    1 for each legal one. Reward: the final score / 64, or -1 for an illegal move, which ends the game.
    """

    def __init__(self, level: str = "h3") -> None:
        self.observation_space = gymnasium.spaces.Box(0, 1, (2, 8, 8), numpy.uint8)
        self.action_space = gymnasium.spaces.Discrete(len(MOVES))
        self.level = level

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[NDArray[numpy.uint8], Dict[str, Any]]:
        super().reset(seed=seed)
        self.engine = emilia.Engine(threads=1, hash_mb=1, level=self.level, book=False, seed=int(self.np_random.integers(2**32)))
        self.side = "black" if self.np_random.integers(2) else "white"
        self.position = emilia.Position()
        return self._reply()

    def step(self, action: numpy.int64) -> Tuple[NDArray[numpy.uint8], float, bool, bool, Dict[str, Any]]:
        try:
            self.position = self.position.play(int(action))
        except ValueError:
            seen, info = self._reply()
            return seen, -1.0, True, False, info
        seen, info = self._reply()
        is_over = self.position.is_over()
        return seen, self.position.score(self.side) / 64 if is_over else 0.0, is_over, False, info

    def _reply(self) -> Tuple[NDArray[numpy.uint8], Dict[str, Any]]:
        """Plays Emilia's moves up to the agent's turn, and returns what the agent sees."""
        while not self.position.is_over() and self.position.to_move != self.side:
            self.position = self.position.play(self.engine.play_move(self.position).move or "pass")
        planes = numpy.frombuffer(self.position.planes(), numpy.uint8).reshape(2, 8, 8)
        legal = self.position.legal_moves()
        mask = numpy.array([move in legal for move in MOVES], numpy.int8)
        return planes if self.position.to_move == self.side else planes[::-1], {"action_mask": mask}
