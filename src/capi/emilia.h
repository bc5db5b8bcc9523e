/* Emilia, an Othello engine, as a C library. An engine holds one game and searches in the
 * background.
 *
 *     cargo build --release -p emilia-capi
 *
 * Errors. Functions that can fail return an emilia_status. On failure they return a code other
 * than EMILIA_STATUS_OK and store one sentence for emilia_last_error. A failed call changes nothing and
 * writes nothing through its pointers, except that emilia_new writes null. Null pointers and
 * invalid text are reported as errors. The comment of each function ends with its further error
 * codes. Two failures still end your program: running out of memory for small allocations, and a
 * defect of the library.
 *
 * Threads. Use each engine from one thread at a time: a call during a call of another thread on
 * the same engine returns EMILIA_STATUS_BUSY and does nothing. Only emilia_stop may be called from any
 * thread at any time. Separate engines are independent.
 *
 * Ownership. You own an engine from emilia_new to emilia_free. Do not use its pointer after
 * that, in any thread. The library keeps no pointer that you pass to it. It owns the strings
 * that it returns. The first emilia_new unpacks the evaluation weights, about 55 MB, which all
 * engines share until the program ends. Do not unload the library.
 *
 * Structs. Each struct begins with its size in bytes, which you set:
 *     emilia_result result = {.size = sizeof result};
 * A struct of another size, from the header of another version, is refused. Structs, functions and
 * constants stay the same as long as EMILIA_ABI_VERSION does.
 *
 * Squares are numbered 0 (a1), 1 (b1), ... 63 (h8). In a mask of squares, square n is the bit
 * 1 << n.
 *
 * Made by cbindgen from the Rust source. */

#ifndef EMILIA_H
#define EMILIA_H

#include <stdint.h>

/*
 The version of the C interface that this header declares.
 */
#define EMILIA_ABI_VERSION 2

/*
 Value of emilia_position.state: the side to move has a legal move.
 */
#define EMILIA_TO_MOVE 0

/*
 Value of emilia_position.state: the side to move must pass.
 */
#define EMILIA_MUST_PASS 1

/*
 Value of emilia_position.state: the game is over.
 */
#define EMILIA_OVER 2

/*
 Value of emilia_result.state: no search since the position last changed.
 */
#define EMILIA_IDLE 0

/*
 Value of emilia_result.state: a search is running.
 */
#define EMILIA_RUNNING 1

/*
 Value of emilia_result.state: the search has ended.
 */
#define EMILIA_DONE 2

/*
 Value of emilia_position.mover: Black is to move.
 */
#define EMILIA_BLACK 0

/*
 Value of emilia_position.mover: White is to move.
 */
#define EMILIA_WHITE 1

/*
 Value of emilia_result.square for a pass.
 */
#define EMILIA_PASS 64

/*
 Value of emilia_result.square if there is no move.
 */
#define EMILIA_NO_SQUARE -1

/*
 Status code of a call.
 */
enum emilia_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /*
     The call succeeded.
     */
    EMILIA_STATUS_OK = 0,
    /*
     A required pointer is null.
     */
    EMILIA_STATUS_NULL_POINTER = 1,
    /*
     The size of a struct is not set, or it is not the size that this library expects.
     */
    EMILIA_STATUS_BAD_STRUCT = 2,
    /*
     A string is not UTF-8.
     */
    EMILIA_STATUS_BAD_TEXT = 3,
    /*
     The text does not describe a valid position.
     */
    EMILIA_STATUS_BAD_POSITION = 4,
    /*
     The text is not a move, or the move is illegal.
     */
    EMILIA_STATUS_BAD_MOVE = 5,
    /*
     No option has this name, the value is invalid, or there is not enough memory for it.
     */
    EMILIA_STATUS_BAD_OPTION = 6,
    /*
     A limit or the number of lines is out of range.
     */
    EMILIA_STATUS_BAD_LIMITS = 7,
    /*
     A search is running: stop it or wait for its end, then repeat the call.
     */
    EMILIA_STATUS_SEARCHING = 8,
    /*
     Another thread is in a call on this engine.
     */
    EMILIA_STATUS_BUSY = 9,
    /*
     The game is over: neither side has a legal move.
     */
    EMILIA_STATUS_GAME_OVER = 10,
    /*
     There is no move to undo.
     */
    EMILIA_STATUS_NO_UNDO = 11,
    /*
     The latest iteration has no line of this index.
     */
    EMILIA_STATUS_NO_LINE = 12,
    /*
     There is not enough memory for the engine.
     */
    EMILIA_STATUS_NO_MEMORY = 13,
    /*
     The processor lacks instructions that this build of the library uses.
     */
    EMILIA_STATUS_OLD_PROCESSOR = 14,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum emilia_status emilia_status;
#else
typedef int32_t emilia_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/*
 An engine and its game. Opaque: create it with emilia_new.
 */
typedef struct emilia_engine emilia_engine;

/*
 A position, written by emilia_get_position.
 */
typedef struct {
    /*
     sizeof(emilia_position), in bytes; set it before the call.
     */
    uint32_t size;
    /*
     The side to move: EMILIA_BLACK or EMILIA_WHITE.
     */
    int32_t mover;
    /*
     EMILIA_TO_MOVE, EMILIA_MUST_PASS or EMILIA_OVER.
     */
    int32_t state;
    /*
     Black's score if the game ended here: the disc difference, -64 to 64. Empty squares count
     for the winner.
     */
    int32_t black_score;
    /*
     Mask of the black discs.
     */
    uint64_t black;
    /*
     Mask of the white discs.
     */
    uint64_t white;
} emilia_position;

/*
 Limits of a search. The first limit that is reached ends the search. If a field is 0, the option
 set by emilia_set_option applies. At first these options are not set.
 */
typedef struct {
    /*
     sizeof(emilia_limits), in bytes; set it before the call.
     */
    uint32_t size;
    /*
     Level of play, 1 to 60: the depth in plies in the midgame. The level also sets from how many
     empty squares on a position is solved, unless `exact` or `nodes` is set. Human levels are set
     by the option "level" ("h0" to "h14") and have their own depth.
     */
    uint32_t level;
    /*
     Solve positions with at most this number of empty squares exactly; at most 60.
     */
    uint32_t exact;
    /*
     Time of the search in milliseconds, at most 3600000000. The search uses all of it, unless
     the position is solved or has only one move.
     */
    uint32_t time_ms;
    /*
     Time left for the game on the clock of the side to move, in milliseconds. Only emilia_go
     uses it.
     */
    uint32_t clock_ms;
    /*
     Time added to the clock after each move, in milliseconds. Only emilia_go uses it.
     */
    uint32_t increment_ms;
    /*
     Maximum number of nodes to search.
     */
    uint64_t nodes;
} emilia_limits;

/*
 The state of a search and one of its lines. Before the first iteration is complete, `square`
 is EMILIA_NO_SQUARE, the strings are empty, and the other fields of the line are 0.
 */
typedef struct {
    /*
     sizeof(emilia_result), in bytes; set it before the call.
     */
    uint32_t size;
    /*
     EMILIA_IDLE, EMILIA_RUNNING or EMILIA_DONE.
     */
    int32_t state;
    /*
     Number of lines of the latest completed iteration, or 0 before the first iteration is
     complete. emilia_go finds 1 line. emilia_hint finds `count` lines, or one for each legal move
     if there are fewer moves.
     */
    uint32_t lines;
    /*
     The first move of the line: 0 to 63, EMILIA_PASS, or EMILIA_NO_SQUARE.
     */
    int32_t square;
    /*
     Search depth in plies. If `exact` is 1, the search has reached the end of the game.
     */
    uint32_t depth;
    /*
     Selectivity in percent: 73, 87, 95, 98, 99, or 100 for a full-width search.
     */
    uint32_t selectivity;
    /*
     1 if the position is solved and `value` is its exact final score, else 0.
     */
    int32_t exact;
    /*
     Search time in milliseconds.
     */
    uint32_t elapsed_ms;
    /*
     The expected final score for the side to move, in discs, -64 to 64. Empty squares count
     for the winner.
     */
    double value;
    /*
     Number of nodes searched.
     */
    uint64_t nodes;
    /*
     The first move of the line as text: "f5" or "pass".
     */
    char move[8];
    /*
     The PV as text, with passes: "f5 d6 c3".
     */
    char pv[512];
} emilia_result;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Returns the version of the library, such as "0.1.0". Never null. The string is valid as long as
 the library is loaded.
 */
const char *emilia_version(void);

/*
 Returns the EMILIA_ABI_VERSION of the library. If it differs from the EMILIA_ABI_VERSION of your
 header, do not call any other function.
 */
uint32_t emilia_abi_version(void);

/*
 Returns the error message of the last failed call of this thread: one sentence in UTF-8, or
 "" if no call has failed. Never null. The string is valid until the thread ends and changes
 only when another call of this thread fails.
 */
const char *emilia_last_error(void);

/*
 Creates an engine at the start position and writes its pointer to `engine`, or null on
 failure. The engine has one search thread and a hash table of 64 MiB. emilia_set_option changes
 these defaults.

 Errors: EMILIA_STATUS_NO_MEMORY, EMILIA_STATUS_OLD_PROCESSOR.
 */
emilia_status emilia_new(emilia_engine **engine);

/*
 Stops the search of the engine within milliseconds and frees the engine. Null is ignored.
 */
void emilia_free(emilia_engine *engine);

/*
 Sets an option by its command-line name, for all later searches: "threads", "hash" (MiB),
 "level" ("1" to "60", "h0" to "h14"), "seed" (for h0 to h14 and the book), "depth", "time"
 (seconds), "nodes", "exact", "ponder" ("on", "off"), "selectivity", "eval", "weights" (a
 file), "book" ("on" for the embedded opening book, "off", or a file), "book-error" (discs).
 The book is off at first. The result of a book move has 0 nodes. The value "none" removes a
 limit, a level or a weights file. With "ponder" on, the engine goes on searching after the move of emilia_go is played. It
 stops when an unexpected reply is played or the option is turned off.

 Errors: EMILIA_STATUS_BAD_OPTION, EMILIA_STATUS_SEARCHING.
 */
emilia_status emilia_set_option(emilia_engine *engine,
                                const char *name,
                                const char *value);

/*
 Starts another game, or sets up any position. `position` is one of: 64 squares from a1 to h8
 (X or * black, O white, - or . empty) and the side to move; a board drawn over eight lines; an
 OBF line; a FEN; the discs of the side to move and of the opponent as hexadecimal numbers, bit 0
 is a1 ("0x810000000 0x1008000000", Black to move unless "O" follows); a transcript ("f5d6c3",
 with or without passes); or "start". Moves before the position cannot be undone. The hash table
 is kept.

 Errors: EMILIA_STATUS_BAD_POSITION, EMILIA_STATUS_SEARCHING.
 */
emilia_status emilia_set_position(emilia_engine *engine, const char *position);

/*
 Plays a move: a square such as "f5", or "pass" if no square is legal. If the side to move must
 pass and `move` is a square, the pass is played first.

 Errors: EMILIA_STATUS_BAD_MOVE, EMILIA_STATUS_SEARCHING.
 */
emilia_status emilia_play(emilia_engine *engine, const char *move);

/*
 Undoes the last emilia_play. If that call played a pass first, the pass is undone too.

 Errors: EMILIA_STATUS_NO_UNDO, EMILIA_STATUS_SEARCHING.
 */
emilia_status emilia_undo(emilia_engine *engine);

/*
 Writes the current position to `position`. Allowed during a search.
 */
emilia_status emilia_get_position(emilia_engine *engine, emilia_position *position);

/*
 Writes the legal moves of the side to move to `squares`, as a mask. Allowed during a search.
 The mask is 0 if the side must pass or the game is over. emilia_get_position distinguishes
 these two states.
 */
emilia_status emilia_legal_moves(emilia_engine *engine, uint64_t *squares);

/*
 Writes the number of positions `depth` plies after the current position to `count`, to check
 move generation. A pass is one ply, and a game that ends earlier counts 1. `depth` is at most 20.
 From the start position, depths up to 9 take at most 10 ms. Each further ply takes about ten
 times as long.

 Errors: EMILIA_STATUS_BAD_LIMITS.
 */
emilia_status emilia_perft(emilia_engine *engine, uint32_t depth, uint64_t *count);

/*
 Starts a search for the move to play and returns at once. The move is not played. If `limits`
 is null, the options apply. If neither `limits` nor an option sets a level, depth, time, clock or
 number of nodes, the search lasts one second. If the side to move must pass, the search finds the
 pass.

 Errors: EMILIA_STATUS_GAME_OVER, EMILIA_STATUS_BAD_LIMITS, EMILIA_STATUS_SEARCHING.
 */
emilia_status emilia_go(emilia_engine *engine, const emilia_limits *limits);

/*
 Starts a MultiPV search for the best `count` moves, at least 1, and returns at once. If `limits`
 is null, the options apply. Without a limit on depth, time or nodes, the search lasts one second,
 as in emilia_go. For a search that lasts until emilia_stop, set time_ms to 3600000000. A human
 level is ignored.

 Errors: EMILIA_STATUS_GAME_OVER, EMILIA_STATUS_BAD_LIMITS, EMILIA_STATUS_SEARCHING.
 */
emilia_status emilia_hint(emilia_engine *engine, uint32_t count, const emilia_limits *limits);

/*
 Writes the state of the search and its best line so far to `result`. Does not wait. Once the
 state is EMILIA_DONE, the line begins with the move to play. If the system could not start a
 thread for the search, the search runs inside this call.
 */
emilia_status emilia_poll(emilia_engine *engine, emilia_result *result);

/*
 Writes line `index` (0 is the best) as of the last emilia_poll or emilia_wait to `result`.
 All lines have the same depth.

 Errors: EMILIA_STATUS_NO_LINE.
 */
emilia_status emilia_line(emilia_engine *engine, uint32_t index, emilia_result *result);

/*
 Waits until the running search ends. Returns at once if no search is running. emilia_stop from
 another thread ends the search, and this call returns.
 */
emilia_status emilia_wait(emilia_engine *engine);

/*
 Stops the running search, if any, and returns at once. May be called from any thread, but not
 from a signal handler. The search ends within milliseconds and still finds a move: call
 emilia_wait, and then emilia_poll to get it.
 */
emilia_status emilia_stop(emilia_engine *engine);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* EMILIA_H */
