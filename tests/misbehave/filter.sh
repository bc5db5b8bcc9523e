#!/bin/sh
# Usage: filter.sh KIND. Copies lines between an engine and its client and corrupts the engine's 10th move.
#   as `engine | filter.sh KIND`, on its answers: hang crash garbage illegal pass flood
#   as `filter.sh KIND | engine`, on its commands: slow deaf
# Works for GTP and NBoard. An answer with a move is "= F5" in GTP and "=== F5/..." in NBoard.
# A request for a move is "genmove" in GTP and "go" in NBoard.
# crash and deaf kill the parent shell, because it holds the pipes of the pipeline open as well.
kind=$1
moves=0
while IFS= read -r line; do
    case $line in
        "= "[A-H][1-8]* | "=== "[A-H][1-8]*) moves=$((moves + 1)) behind=yes ;;
        genmove* | go) moves=$((moves + 1)) behind=no ;;
    esac
    if [ "$moves" -lt 10 ]; then
        printf '%s\n' "$line"
        continue
    fi
    sign=${line%% *}
    echo "$kind: corrupts move 10" >&2
    case $behind$kind in
        yeshang) sleep 100 ;;
        yescrash) kill -9 "$PPID"; exit ;;
        yesgarbage) printf '%s\n\n' "$sign what?" ;;
        yesillegal) printf '%s\n\n' "$sign E4" ;;
        yespass) printf '%s\n\n' "$sign PASS" ;;
        yesflood) head -c 2000000 /dev/zero | tr '\0' x ;;
        noslow) sleep 100; printf '%s\n' "$line" ;;
        nodeaf) kill -9 "$PPID"; exec <&-; sleep 1; printf '%s\n' "$line"; sleep 100 ;;
    esac
done
