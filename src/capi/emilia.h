/* Emilia, an Othello engine, as a library: a game, a search that runs beside your program, and what it has found so far.
 *
 *     cargo rustc --release --lib --no-default-features --features capi --crate-type cdylib
 *
 * Errors. A function that returns an emilia_status returns EMILIA_OK, or a code and leaves one sentence for
 * emilia_last_error. After an error all is as before, and what a pointer leads to is not written. Null pointers and text
 * that makes no sense are errors like others; below, each function names those of its own. Text comes in as UTF-8 with a NUL
 * at its end. What ends your program all the same is no memory left for small things, and a defect of a library that was not
 * built with panic="unwind".
 *
 * Threads. An engine is for one thread at a time: a call while another thread is in a call on the same engine does nothing
 * and returns EMILIA_BUSY. Only emilia_stop may be called at any time from any thread. Engines know nothing of each other.
 *
 * Ownership. An engine is yours from emilia_new to emilia_free; after that no pointer to it may be used, by no thread. The
 * library keeps no pointer that it is given. Strings that it returns are its own. The weights of the evaluations, some 55 MB,
 * are unpacked by the first emilia_new and stay for all engines until the program ends: do not unload the library.
 *
 * Structs begin with their size, which you set (`emilia_result result = {.size = sizeof result};`): later versions may add fields
 * at the end, and programs compiled before go on to work. Functions and numbers stay what they are as long as
 * EMILIA_ABI_VERSION does. Fields of a newer header that this library does not know must be 0.
 *
 * Squares are 0 (a1), 1 (b1), ... 63 (h8); in a mask of squares, square n is the bit 1 << n. */
#ifndef EMILIA_H
#define EMILIA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the interface that this header declares. */
#define EMILIA_ABI_VERSION 1

/* An engine and the game that it looks at. */
typedef struct emilia_engine emilia_engine;

/* What a call came to. */
typedef int32_t emilia_status;
enum {
    EMILIA_OK = 0,
    /* A pointer is null that must not be. */
    EMILIA_NULL_POINTER = 1,
    /* A struct whose size is not set, or with fields set that this library does not know. */
    EMILIA_BAD_STRUCT = 2,
    /* A text is not UTF-8. */
    EMILIA_BAD_TEXT = 3,
    /* The text is no position. */
    EMILIA_BAD_POSITION = 4,
    /* The text is no move, or the move is illegal. */
    EMILIA_BAD_MOVE = 5,
    /* There is no such option, it has no such value, or there is no memory for it. */
    EMILIA_BAD_OPTION = 6,
    /* A limit or a number of lines is out of its range. */
    EMILIA_BAD_LIMITS = 7,
    /* A search is running, and the call must wait for its end. */
    EMILIA_SEARCHING = 8,
    /* Another thread is in a call on this engine. */
    EMILIA_BUSY = 9,
    /* Neither side can move. */
    EMILIA_GAME_OVER = 10,
    /* No move is left that could be taken back. */
    EMILIA_NO_UNDO = 11,
    /* There is no line of this number. */
    EMILIA_NO_LINE = 12,
    /* There is no memory for the engine. */
    EMILIA_NO_MEMORY = 13,
    /* The processor lacks instructions that the library was built for. */
    EMILIA_OLD_PROCESSOR = 14,
    /* A defect of the library that was caught. The search, if there was one, is lost. */
    EMILIA_INTERNAL = 15
};

/* The colour of a side: emilia_position.mover. */
enum { EMILIA_BLACK = 0, EMILIA_WHITE = 1 };

/* How a game stands: emilia_position.state. */
enum {
    /* The side to move has a legal square. */
    EMILIA_TO_MOVE = 0,
    /* It has none, but the other side has: the only move is to pass. */
    EMILIA_MUST_PASS = 1,
    /* Neither side has one. */
    EMILIA_OVER = 2
};

/* How a search stands: emilia_result.state. */
enum {
    /* None was begun since the position came up. */
    EMILIA_IDLE = 0,
    EMILIA_RUNNING = 1,
    /* It has ended, and this is what it found. */
    EMILIA_DONE = 2
};

/* emilia_result.square for a pass, and where there is no move. */
enum { EMILIA_PASS = 64, EMILIA_NO_SQUARE = -1 };

/* A position. */
typedef struct emilia_position {
    /* sizeof(emilia_position), set by you. */
    uint32_t size;
    /* EMILIA_BLACK or EMILIA_WHITE is to move. */
    int32_t mover;
    /* EMILIA_TO_MOVE, EMILIA_MUST_PASS or EMILIA_OVER. */
    int32_t state;
    /* Black's score if the game ended here, in discs: the difference, empty squares to the winner; -64 to 64. */
    int32_t black_score;
    /* The squares with a black disc. */
    uint64_t black;
    /* The squares with a white disc. */
    uint64_t white;
} emilia_position;

/* What bounds a search; whichever comes first ends it. 0 leaves what emilia_set_option has set, at first nothing. */
typedef struct emilia_limits {
    /* sizeof(emilia_limits), set by you. */
    uint32_t size;
    /* How strong, 1 to 60: so many plies in the midgame, and an endgame to match, which `exact` or `nodes` overrules. The
     * levels of people are an option ("level", "h1" to "h14"); their moves have a depth of their own. */
    uint32_t level;
    /* Solve exactly from so many empty squares on, at most 60. */
    uint32_t exact;
    /* Time for the search in milliseconds. It is used up, unless the position is solved or has one move. */
    uint32_t time_ms;
    /* What the clock of the side to move has left for the rest of the game, in milliseconds; for emilia_go only. */
    uint32_t clock_ms;
    /* What that clock gains with each move, in milliseconds. */
    uint32_t increment_ms;
    /* Positions visited. */
    uint64_t nodes;
} emilia_limits;

/* How a search stands, and one of its lines. Before the first line is known: EMILIA_NO_SQUARE, empty texts, zeros. */
typedef struct emilia_result {
    /* sizeof(emilia_result), set by you. */
    uint32_t size;
    /* EMILIA_IDLE, EMILIA_RUNNING or EMILIA_DONE. */
    int32_t state;
    /* How many lines are known: at most 1 of emilia_go, as many as were asked for, or as there are moves, of emilia_hint. */
    uint32_t lines;
    /* The move to make: a square, EMILIA_PASS, or EMILIA_NO_SQUARE. */
    int32_t square;
    /* The search looked so many plies ahead; if `exact`, to the end of the game. */
    uint32_t depth;
    /* With this confidence, in percent: 73, 87, 95, 98, 99, or 100 for full width. */
    uint32_t selectivity;
    /* 1 if the game is solved and `value` is the final score, else 0. */
    int32_t exact;
    /* Time taken, in milliseconds. */
    uint32_t elapsed_ms;
    /* The expected final score for the side to move, in discs, -64 to 64; empty squares count for the winner. */
    double value;
    /* Positions visited. */
    uint64_t nodes;
    /* The move to make as text, "f5" or "pass". */
    char move[8];
    /* The best play of both sides, that move first: "f5 d6 c3", passes written. */
    char pv[512];
} emilia_result;

/* The version of the library, "0.1.0". Never null; lives as long as the library. */
const char *emilia_version(void);

/* The EMILIA_ABI_VERSION of the library: with another one than the header's, do not go on. */
uint32_t emilia_abi_version(void);

/* What went wrong in the last call of this thread that failed, in one sentence, UTF-8; "" if none has. Never null; it stays as it
 * is until another call of this thread fails, and may be read until the thread ends. */
const char *emilia_last_error(void);

/* Makes an engine at the start of a game, and writes its pointer to *engine; null if that fails. It has a hash table of 64 MiB
 * and searches with one thread until options say otherwise.
 * EMILIA_NO_MEMORY, EMILIA_OLD_PROCESSOR. */
emilia_status emilia_new(emilia_engine **engine);

/* Ends its search, within milliseconds, and frees all that it has. Null is allowed. */
void emilia_free(emilia_engine *engine);

/* Sets an option by its name on the command line, for searches to come: "threads", "hash" (MiB), "level" ("1" to "60", "h1" to
 * "h14"), "seed" (of h1 to h14), "depth", "time" (seconds), "nodes", "exact", "ponder" ("on", "off"), "selectivity", "eval",
 * "weights" (a file). "none" takes a limit away. With "ponder" on the engine goes on to think once the move of emilia_go is
 * played, until a reply comes that it did not expect, or the option is off.
 * EMILIA_BAD_OPTION, EMILIA_SEARCHING. */
emilia_status emilia_set_option(emilia_engine *engine, const char *name, const char *value);

/* Begins another game, or looks at another position: 64 squares from a1 to h8 (X or * black, O white, - or . empty) and the side
 * to move, an OBF line, a transcript ("f5d6c3", passes written or not) or "start". No move before it can be taken back. What was
 * learnt of other positions is kept.
 * EMILIA_BAD_POSITION, EMILIA_SEARCHING. */
emilia_status emilia_set_position(emilia_engine *engine, const char *position);

/* Plays a move: "f5", or "pass" where there is no other. A forced pass may be left out: then it is played before the move.
 * EMILIA_BAD_MOVE, EMILIA_SEARCHING. */
emilia_status emilia_play(emilia_engine *engine, const char *move);

/* Takes back what the last emilia_play has played.
 * EMILIA_NO_UNDO, EMILIA_SEARCHING. */
emilia_status emilia_undo(emilia_engine *engine);

/* Writes the position to *position; during a search as well. */
emilia_status emilia_get_position(emilia_engine *engine, emilia_position *position);

/* Writes a mask of the squares where the side to move may play to *squares; during a search as well. 0 if it must pass or the
 * game is over, which emilia_get_position tells apart. */
emilia_status emilia_legal_moves(emilia_engine *engine, uint64_t *squares);

/* Begins to search for a move and returns at once. The move is not played. Without limits (null, or level, time, clock and
 * nodes all 0 and no such option) it takes a second. A side that must pass finds the pass.
 * EMILIA_GAME_OVER, EMILIA_BAD_LIMITS, EMILIA_SEARCHING. */
emilia_status emilia_go(emilia_engine *engine, const emilia_limits *limits);

/* Begins to search for the best `count` moves, at least 1, each with its own line (MultiPV), and returns at once. Without
 * limits it goes on until the position is solved or emilia_stop is called. The levels of people have no say in it.
 * EMILIA_GAME_OVER, EMILIA_BAD_LIMITS, EMILIA_SEARCHING. */
emilia_status emilia_hint(emilia_engine *engine, uint32_t count, const emilia_limits *limits);

/* Ends the search, if one is running, and returns at once; from any thread, but from no signal handler. The search ends within
 * milliseconds, with a move: ask emilia_poll, or call emilia_wait. */
emilia_status emilia_stop(emilia_engine *engine);

/* Writes to *result how the search stands, and its best line so far; does not wait. When the state is EMILIA_DONE, that line
 * begins with the move to make. Where the system has no thread left for the search, it runs within this call. */
emilia_status emilia_poll(emilia_engine *engine, emilia_result *result);

/* Writes the line number `index` to *result, 0 for the best, as the last emilia_poll or emilia_wait found them: all lines
 * have the same depth.
 * EMILIA_NO_LINE. */
emilia_status emilia_line(emilia_engine *engine, uint32_t index, emilia_result *result);

/* Waits for the end of the search, if one is running. Only emilia_stop from another thread ends one without limits. */
emilia_status emilia_wait(emilia_engine *engine);

#ifdef __cplusplus
}
#endif

#endif
