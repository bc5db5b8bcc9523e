#!/bin/sh
# filter.sh KIND: stands before or behind an engine and spoils its tenth move.
#   behind (reads its answers): hang crash garbage illegal pass flood
#   before (reads its commands): slow deaf
# Both protocols: an answer with a move is "= F5" in GTP and "=== F5/..." in NBoard; a request for one is "genmove" or "go".
# The shell that has started the pipeline holds both its ends open too, so crash and deaf end it.
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
    echo "$kind: here it comes" >&2
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
