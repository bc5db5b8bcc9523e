/** 64 squares from a1 to h8, `X` black, `O` white, `-` empty, and the side to move: `START`. */
export type Position = string;
/** `a1` to `h8`, or `pass`. */
export type Move = string;

/** The start of a game. */
export const START: Position;
/** The squares, only `pass` if the side to move must pass, and nothing after the end. */
export function legalMoves(position: Position): Move[];
/** The position after a move. Throws if the move is not legal. */
export function play(position: Position, move: Move): Position;
/** Black's score in discs, as if the game ended here. Empty squares count for the winner. */
export function score(position: Position): number;

export interface Line {
  move: Move | null;
  /** Expected final score in discs for the side to move. */
  score: number;
  depth: number;
  /** Confidence of forward pruning in percent; 100 is none. */
  selectivity: number;
  /** Whether the score is certain. */
  exact: boolean;
  /** Best play, passes included. */
  line: Move[];
}

export interface Options {
  /** Rejects the promise with the signal's reason, and ends the search. */
  signal?: AbortSignal;
}

export interface SearchOptions extends Options {
  /** Depth in plies. */
  depth?: number;
  /** Two minutes by default. */
  seconds?: number;
  /** Solve from this number of empty squares on. */
  exact?: number;
  /** Number of lines; 1 by default, 33 for all moves. */
  lines?: number;
  /** Is called after each iteration. */
  onProgress?: (lines: Line[]) => void;
}

export interface MoveOptions extends Options {
  /** `1` to `60`, or `h0` to `h14`, which play as people do. One second without any limit. */
  level?: string | number;
  seconds?: number;
  /** Seconds left on the clock, and seconds that it adds for a move. */
  clock?: number;
  increment?: number;
  /** Repeats the draws of human levels and of the book. */
  seed?: number;
  onProgress?: (line: Line) => void;
}

export interface AnalysisOptions extends Options {
  /** Depth in plies, 1 to 24; 16 by default. */
  depth?: number;
  start?: Position;
  onProgress?: (done: number, all: number) => void;
}

/** The object of `emilia analyze --json`. */
export interface Analysis {
  moves: {number: number; side: "black" | "white"; move: Move; score: number; best: Move; lost: number; [field: string]: unknown}[];
  [field: string]: unknown;
}

/** The engine in a worker: one request at a time. */
export class Engine {
  /** The best lines of a position, best first. */
  search(position: Position, options?: SearchOptions): Promise<Line[]>;
  /** The move to play, from the opening book, a level or a search. */
  move(position: Position, options?: MoveOptions): Promise<Line & {book: boolean}>;
  /** Judges each move of a game, which is a transcript such as `f5d6c3`. */
  analyze(transcript: string, options?: AnalysisOptions): Promise<Analysis>;
  /** Ends the worker. A program of Node.js ends only after this. */
  close(): void;
}
