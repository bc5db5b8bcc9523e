/* Plays one game of Emilia against itself and prints its moves and Black's score. It waits for
 * each search, which emilia_go starts in the background. A GUI calls emilia_poll from its event
 * loop instead. */
#include "emilia.h"

#include <stdio.h>
#include <stdlib.h>

static void check(emilia_status status)
{
    if (status != EMILIA_OK) {
        fprintf(stderr, "error %d: %s\n", (int)status, emilia_last_error());
        exit(status);
    }
}

int main(void)
{
    emilia_engine *engine;
    emilia_limits limits = {.size = sizeof limits};
    emilia_result result = {.size = sizeof result};
    emilia_position position = {.size = sizeof position};

    if (emilia_abi_version() != EMILIA_ABI_VERSION)
        return 1;
    check(emilia_new(&engine));
    check(emilia_set_option(engine, "hash", "16"));
    limits.level = 4;
    check(emilia_get_position(engine, &position));
    while (position.state != EMILIA_OVER) {
        check(emilia_go(engine, &limits));
        check(emilia_wait(engine));
        check(emilia_poll(engine, &result));
        printf("%s ", result.move);
        check(emilia_play(engine, result.move));
        check(emilia_get_position(engine, &position));
    }
    printf("%+d\n", (int)position.black_score);
    emilia_free(engine);
    return 0;
}
