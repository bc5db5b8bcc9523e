#!/usr/bin/env bash
# Draws the pictures of the pages into .github/pictures: `gui` (README.md) and a game at the terminal (src/cli).
# Needs python3, node, npm, chromium and pngquant or ImageMagick's convert. usage: tests/pictures.sh [EMILIA]
set -euo pipefail
cd "$(dirname "$0")/.."
emilia=$(realpath "${1:-target/release/emilia}")
repository=$PWD
pictures=$repository/.github/pictures
mkdir -p "$pictures"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# shrink NAME: stores the picture NAME.png in few colours to keep it small.
shrink() {
    if command -v pngquant >/dev/null; then
        pngquant --force --output "$pictures/$1.png" 64 "$1.png"
    else
        convert "$1.png" -strip +dither -colors 96 "PNG8:$pictures/$1.png"
    fi
}

printf 'c5\nhint 3\nquit\n' |
    "$emilia" play --color always --human black --depth 12 --threads 1 f5d6c3d3c4f4 | sed -n '/Emilia plays/,$p' >terminal.txt
python3 - <<'PYTHON'
# Converts the escape sequences of colours to HTML.
import html
import re

def colour(index):
    if index >= 232:
        return f"rgb({8 + 10 * (index - 232)},{8 + 10 * (index - 232)},{8 + 10 * (index - 232)})"
    if index < 16:
        return ["#000", "#c33", "#3a3", "#aa3", "#36c", "#a3a", "#3aa", "#ccc"][index % 8]
    steps = [0, 95, 135, 175, 215, 255]
    index -= 16
    return f"rgb({steps[index // 36]},{steps[index // 6 % 6]},{steps[index % 6]})"

text, style, out = open("terminal.txt").read(), [], []
for part in re.split(r"(\x1b\[[0-9;]*m)", text):
    if not part.startswith("\x1b"):
        if part:
            out.append(f'<span style="{";".join(style)}">{html.escape(part)}</span>')
        continue
    codes = [int(code or 0) for code in part[2:-1].split(";")]
    if codes == [0]:
        style = []
    elif codes[:2] == [38, 5]:
        style.append(f"color:{colour(codes[2])}")
    elif codes[:2] == [48, 5]:
        style.append(f"background:{colour(codes[2])}")
    elif codes == [1]:
        style.append("font-weight:bold")
    elif codes == [4]:
        style.append("text-decoration:underline")
page = "<meta charset=utf-8><style>body{margin:0;background:#1c1c1c;color:#ddd}" \
    "pre{margin:16px;font:15px/19px 'DejaVu Sans Mono',monospace}</style><pre>"
open("terminal.html", "w").write(page + "".join(out) + "</pre>")
PYTHON
chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --virtual-time-budget=5000 \
    --window-size=760,320 --screenshot=terminal.png "file://$PWD/terminal.html" 2>/dev/null
shrink terminal

"$repository/tests/gui.sh" "$emilia" "$folder/pages"
cp pages/review-1366x650-light-en.png gui.png
shrink gui
ls -l "$pictures"
